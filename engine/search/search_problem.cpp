// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_problem.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/step_cache.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostPlaces = std::numeric_limits<std::size_t>::max() / 2;

/// How often the walk should come by an axis: those that cost most the least.
int weightOf(const Study& study, const Axis& axis) {
    const auto of = stepReach(study.base, axis.path).of;
    return axis.isChoice() ? 3 : of == StepReach::Of::Everything ? 2 : of == StepReach::Of::OneNode ? 1 : 0;
}

} // namespace

std::string goalText(const SearchGoal& goal) {
    return (goal.better > 0 ? "max " : "min ") + goal.column;
}

void checkProblem(const SearchProblem& problem) {
    if (problem.study.isList)
        throwInvalid("axes", "values that move together are no variables of a search",
                     "Sweep them, or give each an axis of its own");
    checkAxes(problem.study);
    if (problem.study.pointCount() > kMostPlaces)
        throwInvalid("axes", "more points than can be counted", "Use larger steps or fewer axes");
    if (problem.goals.empty() || problem.goals.size() > kMaxGoals)
        throwInvalid("objectives", std::to_string(problem.goals.size()) + " are given",
                     "Give one to three metrics to maximise or minimise");
    for (std::size_t i = 0; i < problem.goals.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (problem.goals[i].column == problem.goals[j].column)
                throwInvalid("objective " + problem.goals[i].column, "is given twice", "Give each once");
    if (problem.best > kMaxBest)
        throwInvalid("best", "more than 10,000 are to be kept", "Ask for fewer");
    for (const auto& goal : problem.goals)
        PointColumn(problem.study, goal.column);
    for (const auto& limit : problem.study.limits)
        if (limit.column != "feasible")
            PointColumn(problem.study, limit.column);
}

PointColumn::PointColumn(const Study& study, const std::string& name) : m_name(name) {
    if (const auto* spec = engine::findMetric(name)) {
        m_index = static_cast<std::size_t>(spec->metric);
        m_scale = spec->scale;
        m_unit = spec->unit;
        m_simulated = engine::isSimulated(spec->metric);
        return;
    }
    for (std::size_t i = 0; i < study.axes.size(); ++i)
        if (study.axes[i].path == name) {
            if (study.axes[i].isChoice())
                throwInvalid(name, "is a choice, not a number", "Take a metric, or an axis of numbers");
            m_from = From::Axis;
            m_index = i;
            m_values = study.axes[i].values;
            m_unit = resolveAxis(study.base, name).spec.unit;
            return;
        }
    if (name == "devices" || name == "truth") {
        m_from = name == "devices" ? From::Devices : From::Truth;
        return;
    }
    if (name.starts_with("nodes.")) {
        m_from = From::NodeMetric;
        const auto evaluation = evaluate(study.base);
        if (evaluation.feasible) // or it shows at a point that is
            m_unit = engine::findMetric(study.base, evaluation, name).unit;
        return;
    }
    throw Error(ErrorCode::NotFound, "\"" + name.substr(0, 80) + "\"", "is no metric, axis or \"devices\"",
                "Give a metric's key, such as ttft_s, tpot_s, price_usd, power_w or throughput_tok_s");
}

double PointColumn::at(const Scenario& scenario, const Evaluation& evaluation,
                       std::span<const std::size_t> positions) const {
    switch (m_from) {
    case From::Metric:
        return toEdge(evaluation.metrics[m_index], m_scale);
    case From::Axis:
        return m_values[positions[m_index]];
    case From::Devices: {
        double sum = 0.0;
        for (const auto& node : scenario.nodes)
            if (isAccelerator(node.device.kind))
                sum += node.count.value;
        return sum;
    }
    case From::Truth:
        return static_cast<double>(truthOf(scenario));
    case From::NodeMetric:
        break;
    }
    try {
        return engine::findMetric(scenario, evaluation, m_name).value;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::NotFound)
            throw;
        return kUnset;
    }
}

Limit parseSearchLimit(const std::string& text, Decimals decimals) {
    constexpr std::string_view devices = "devices";
    const auto rest =
        text.starts_with(devices) ? text.find_first_not_of(' ', devices.size()) : std::string::npos;
    if (rest == std::string::npos || std::string_view("<>=").find(text[rest]) == std::string_view::npos)
        return parseLimit(text, decimals);
    auto limit =
        parseLimit("feasible" + text.substr(devices.size()), decimals); // a column that every design has
    limit.column = devices;
    return limit;
}

double missOf(const Limit& limit, double value) {
    if (limit.holds(value))
        return 0.0;
    if (std::isnan(value))
        return std::numeric_limits<double>::infinity();
    const double end = value > limit.most ? limit.most : limit.least;
    return std::fabs(value - end) / std::max(std::fabs(end), 1e-300);
}

SearchSpace::SearchSpace(const SearchProblem& problem) : m_walked(problem.study) {
    const auto& axes = problem.study.axes;
    m_order.resize(axes.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    // Choices keep their order among each other: it is part of what a point is.
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return weightOf(problem.study, axes[a]) > weightOf(problem.study, axes[b]);
    });
    std::vector<std::uint64_t> strides(axes.size());
    for (auto i = axes.size(); i-- > 0;) {
        strides[i] = m_size;
        m_size *= axes[i].values.size();
    }
    m_walked.axes.clear();
    for (const auto i : m_order) {
        m_walked.axes.push_back(axes[i]);
        m_strides.push_back(strides[i]);
    }
}

std::size_t SearchSpace::placeOf(std::uint64_t ordinal) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < m_strides.size(); ++i) {
        const auto length = m_walked.axes[i].values.size();
        place = place * length + ordinal / m_strides[i] % length;
    }
    return place;
}

} // namespace heteroscape::engine
