// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/point_evaluator.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heteroscape::engine {

namespace {

constexpr auto kNoNode = static_cast<std::size_t>(-1);

} // namespace

std::uint32_t BoundNames::number(const std::string& name) {
    const std::lock_guard lock(m_mutex);
    const auto it = std::find(m_names.begin(), m_names.end(), name);
    const auto number = static_cast<std::uint32_t>(it - m_names.begin());
    if (it == m_names.end())
        m_names.push_back(name);
    return number;
}

std::vector<std::string> BoundNames::names() const {
    const std::lock_guard lock(m_mutex);
    return m_names;
}

PointEvaluator::PointEvaluator(const PointSetter& setter, const PointValidity& validity, BoundNames& names,
                               std::stop_token stop, std::vector<std::size_t> metrics,
                               std::vector<std::string> nodeMetrics)
    : m_setter(setter), m_validity(validity), m_names(names), m_stop(std::move(stop)),
      m_metrics(std::move(metrics)), m_nodeMetrics(std::move(nodeMetrics)) {
    if (!m_metrics.empty())
        return;
    m_metrics.resize(metricSpecs().size());
    std::iota(m_metrics.begin(), m_metrics.end(), std::size_t{0});
}

std::uint32_t PointEvaluator::boundNumber(const Scenario& scenario) {
    // boundKey() depends on these only: node ids are the same at every point.
    const auto& bound = m_evaluation.bound;
    const auto node = m_evaluation.feasible ? bound.node : kNoNode;
    if (m_setter.changesSystem())
        return m_names.number(boundKey(scenario, m_evaluation));
    for (const auto& known : m_known)
        if (known.node == node &&
            (node == kNoNode ||
             (known.link == bound.link && known.phase == bound.phase && known.bound == bound.bound)))
            return known.number;
    const auto number = m_names.number(boundKey(scenario, m_evaluation));
    m_known.push_back({node, bound.link, bound.phase, bound.bound, number});
    return number;
}

/// A design whose full batch does not fit can still serve fewer requests at a time.
bool PointEvaluator::simulatePoint(const Scenario& scenario) {
    SimulationOptions options;
    options.stop = m_stop;
    const auto serving = simulate(scenario, m_evaluation, options);
    setServingMetrics(serving, m_evaluation);
    return serving.ran();
}

const Scenario& PointEvaluator::evaluateAt(std::size_t ordinal) {
    const auto& scenario = m_setter.at(ordinal);
    if (m_validity.at(ordinal)) {
        m_steps.setKeys(m_setter.stepKeys(), m_setter.graphKeys());
        evaluateInto(scenario, m_evaluation, m_steps);
    } else {
        m_evaluation.feasible = false;
        m_evaluation.bound = {};
        m_evaluation.metrics.fill(kUnset);
    }
    return scenario;
}

void PointEvaluator::readNodes(const Scenario& scenario, std::vector<double>& nodeMetrics) const {
    nodeMetrics.assign(m_nodeMetrics.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < m_nodeMetrics.size() && m_evaluation.feasible; ++i)
        try {
            nodeMetrics[i] = findMetric(scenario, m_evaluation, m_nodeMetrics[i]).value;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::NotFound)
                throw;
        }
}

void PointEvaluator::evaluate(std::size_t ordinal, EvaluatedPoint& point) {
    const auto& scenario = evaluateAt(ordinal);
    readNodes(scenario, point.nodeMetrics);
    point.feasible = m_evaluation.feasible;
    if (scenario.serving.isSimulated() && m_validity.at(ordinal))
        point.feasible |= simulatePoint(scenario);
    point.bound = boundNumber(scenario);
    const auto specs = metricSpecs();
    for (const auto i : m_metrics)
        point.metrics[i] = toEdge(m_evaluation.metrics[i], specs[i].scale);
}

void PointEvaluator::evaluateNodes(std::size_t ordinal, std::vector<double>& nodeMetrics) {
    readNodes(evaluateAt(ordinal), nodeMetrics);
}

NodeMetricName nodeMetricName(const Study& study, const std::string& metric, std::size_t ordinal) {
    PointSetter setter(study);
    const auto& scenario = setter.at(ordinal);
    const auto found = findMetric(scenario, evaluate(scenario), metric);
    NodeMetricName name{found.label, found.unit};
    const auto exchanges = [](const Axis& axis) {
        return axis.path == "system" || (axis.isChoice() && axis.path.ends_with(".device"));
    };
    if (std::any_of(study.axes.begin(), study.axes.end(), exchanges)) // the node is another each time
        if (const auto colon = name.label.find(": "); colon != std::string::npos)
            name.label = name.label.substr(colon + 2);
    return name;
}

} // namespace heteroscape::engine
