// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cases/case_design.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "tests/engine/fixtures.h"

#include <cmath>

namespace heteroscape::engine::test {

namespace {

/// A line each; only those about `subject` where one is given.
std::string findingsText(const Scenario& scenario, const std::string& subject = {}) {
    std::string text;
    for (const auto& one : validate(scenario)) {
        if (!subject.empty() && one.subject != subject)
            continue;
        const auto* severity = one.severity == Severity::Error     ? "error "
                               : one.severity == Severity::Warning ? "warning "
                                                                   : "note ";
        text += (text.empty() ? "" : "\n") + (severity + one.code) + " at " + one.subject + ": " +
                one.message + ". " + one.remedy;
    }
    return text;
}

} // namespace

void CaseDesign::apply(const GraphEdit& edit) {
    applyEdit(m_scenario, edit);
    m_evaluation.reset();
    m_serving.reset();
}

void CaseDesign::set(const std::string& path, const std::string& text) {
    apply(setEdit(m_scenario, catalog(), path, text));
}

void CaseDesign::remove(const std::string& id) {
    if (m_scenario.findNode({id}))
        apply(removeEdit(m_scenario, {{id}}, {}));
    else
        apply(RemoveLink{{id}});
}

const Evaluation& CaseDesign::evaluation() {
    if (!m_evaluation)
        m_evaluation = evaluate(m_scenario);
    return *m_evaluation;
}

void CaseDesign::simulateOnce() {
    if (m_serving || !evaluation().feasible || !m_scenario.serving.isSimulated())
        return;
    m_serving = simulate(m_scenario, *m_evaluation);
    setServingMetrics(*m_serving, *m_evaluation);
    if (m_serving->ran() && !(m_serving->result.littleError() < 1e-9))
        throw Error(ErrorCode::InvalidInput, "simulation", "Little's law does not hold");
}

double CaseDesign::value(const std::string& path) {
    if (const auto* spec = findMetric(path); spec && isSimulated(spec->metric))
        simulateOnce();
    for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i)
        if (path == "nodes." + m_scenario.nodes[i].id.value + ".fits")
            return evaluation().nodes[i].fits ? 1.0 : 0.0;
    for (std::size_t i = 0; i < m_scenario.links.size(); ++i) {
        const auto link = "links." + m_scenario.links[i].id.value;
        if (path == link + ".traffic_gbps")
            return evaluation().links[i].bytesPerSecond / units::GB;
        if (path == link + ".utilisation")
            return evaluation().links[i].utilisation();
    }
    try {
        if (!findMetric(path))
            if (const auto parameter = findParameter(m_scenario, catalog(), path);
                parameter.kind == ParameterKind::Number)
                return toEdge(resolveQuantity(m_scenario, path).in(m_scenario).value, parameter.spec.scale);
    } catch (const Error&) { // a metric of a node, then
    }
    try {
        return findMetric(m_scenario, evaluation(), path).value;
    } catch (const Error&) {
        throw Error(ErrorCode::NotFound, path, "no metric and no number of the design has this path",
                    "evaluate --json lists the metrics of a design, show preset its numbers");
    }
}

std::string CaseDesign::text(const std::string& subject) {
    if (subject == "reason") {
        simulateOnce();
        return m_serving ? m_serving->reason : evaluation().reason;
    }
    if (subject == "bound")
        return boundKey(m_scenario, evaluation());
    for (const std::string about : {"findings at ", "explanation "})
        if (subject.starts_with(about)) {
            const auto path = subject.substr(about.size());
            return about[0] == 'f' ? findingsText(m_scenario, path) : termText(explain(m_scenario, path));
        }
    if (subject == "findings")
        return findingsText(m_scenario);
    return parameterText(m_scenario, findParameter(m_scenario, catalog(), subject));
}

bool CaseDesign::isState(const std::string& state) {
    return state == "feasible" || state == "infeasible" || state == "valid" || state == "invalid";
}

std::string CaseDesign::problemOf(const std::string& state) {
    if (state == "valid" || state == "invalid")
        return hasErrors(validate(m_scenario)) == (state == "invalid")
                   ? ""
                   : "findings: " + findingsText(m_scenario);
    const auto& e = evaluation();
    if (e.feasible != (state == "feasible") || e.feasible != e.reason.empty())
        return e.feasible ? "feasible" : "infeasible: " + e.reason;
    for (const auto& spec : metricSpecs())
        if (!e.feasible && spec.metric != Metric::Price && spec.metric != Metric::Area &&
            !std::isnan(e.metric(spec.metric)))
            return std::string(spec.key) + " is set";
    return e.feasible || boundKey(m_scenario, e) == "none" ? "" : "bound by " + boundKey(m_scenario, e);
}

} // namespace heteroscape::engine::test
