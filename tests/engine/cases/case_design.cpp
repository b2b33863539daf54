// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cases/case_design.h"

#include "engine/base/error.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <cmath>

namespace heteroscape::engine::test {

namespace {

std::string findingsText(const Scenario& scenario, const std::string& subject) {
    std::string text;
    for (const auto& one : validate(scenario)) {
        if (!subject.empty() && one.subject != subject)
            continue;
        text += text.empty() ? "" : "\n";
        text += one.severity == Severity::Error     ? "error "
                : one.severity == Severity::Warning ? "warning "
                                                    : "note ";
        text += one.code + " at " + one.subject + ": " + one.message + ". " + one.remedy;
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
    apply(m_scenario.findNode({id}) ? removeEdit(m_scenario, {{id}}, {}) : RemoveLink{{id}});
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
        throw Error(ErrorCode::InvalidInput, "serving", "Little's law does not hold");
}

double CaseDesign::value(const std::string& path) {
    if (const auto* spec = findMetric(path)) {
        if (isSimulated(spec->metric))
            simulateOnce();
        return toEdge(evaluation().metric(spec->metric), spec->scale);
    }
    const auto last = path.rfind('.');
    const auto owner = path.substr(0, last), key = path.substr(last + 1);
    for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i)
        if (key == "fits" && owner == "nodes." + m_scenario.nodes[i].id.value)
            return evaluation().nodes[i].fits ? 1.0 : 0.0;
    for (std::size_t i = 0; i < m_scenario.links.size(); ++i)
        if ((key == "traffic_gbps" || key == "utilisation") &&
            owner == "links." + m_scenario.links[i].id.value)
            return key[0] == 't' ? evaluation().links[i].bytesPerSecond / 1e9
                                 : evaluation().links[i].utilisation();
    try {
        return findMetric(m_scenario, evaluation(), path).value;
    } catch (const Error&) { // a number of the design, then
    }
    try {
        const auto number = resolveQuantity(m_scenario, path);
        return toEdge(number.in(m_scenario).value, number.spec.scale);
    } catch (const Error&) {
        throw Error(ErrorCode::NotFound, path, "no metric and no number of the design",
                    "evaluate --json lists its metrics, show preset its numbers");
    }
}

std::string CaseDesign::text(const std::string& subject) {
    const auto after = [&](std::string_view first) {
        return subject.starts_with(first) ? subject.substr(first.size()) : std::string();
    };
    if (subject == "reason") {
        simulateOnce();
        return m_serving ? m_serving->reason : evaluation().reason;
    }
    if (subject == "bound")
        return boundKey(m_scenario, evaluation());
    if (const auto about = after("findings at "); subject == "findings" || !about.empty())
        return findingsText(m_scenario, about);
    if (const auto metric = after("explanation "); !metric.empty())
        return termText(explain(m_scenario, metric));
    const auto setting = after("refusal ");
    if (setting.empty())
        return parameterText(m_scenario, findParameter(m_scenario, catalog(), subject));
    const auto path = setting.substr(0, setting.find(" ="));
    try {
        setEdit(m_scenario, catalog(), path, std::string(trimmed(setting.substr(path.size() + 2))));
        return "it was taken";
    } catch (const Error& error) { // which begins with the path, whatever it says
        return (std::string(error.what()).starts_with(path + ":") ? "" : "not by its path: ") +
               std::string(error.what());
    }
}

std::string CaseDesign::problemOf(bool feasible) {
    const auto& e = evaluation();
    if (e.feasible != feasible || feasible != e.reason.empty() ||
        feasible == (boundKey(m_scenario, e) == "none"))
        return e.feasible ? "feasible" : "infeasible: " + e.reason;
    for (const auto& spec : metricSpecs())
        if (!feasible && spec.metric != Metric::Price && spec.metric != Metric::Area &&
            !std::isnan(e.metric(spec.metric)))
            return std::string(spec.key) + " is set";
    return {};
}

} // namespace heteroscape::engine::test
