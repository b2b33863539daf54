// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/sensitivity.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/step_cache.h"
#include "engine/study/study.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

UncertainInput inputOf(const Scenario& scenario, const std::string& path, const ResolvedQuantity& resolved,
                       double share) {
    const auto& quantity = resolved.in(scenario);
    const auto& spec = resolved.spec;
    UncertainInput input;
    input.path = path;
    input.label = axisLabel(scenario, path);
    input.unit = spec.unit;
    input.value = toEdge(quantity.value, spec.scale);
    input.stated = !std::isnan(quantity.uncertainty);
    input.provenance = quantity.provenance;
    const double by = std::fabs(input.value) * (input.stated ? quantity.uncertainty : share);
    input.low = input.value - by;
    input.high = input.value + by;
    if (spec.integer) {
        input.low = std::min(std::round(input.low), input.value - 1);
        input.high = std::max(std::round(input.high), input.value + 1);
    }
    input.low = std::max(input.low, spec.minimum);
    input.high = std::min(input.high, spec.maximum);
    return input;
}

template <class Wanted>
std::vector<UncertainInput> inputsWhere(const Scenario& scenario, double share, Wanted wanted) {
    std::vector<UncertainInput> inputs;
    for (const auto& parameter : listParameters(scenario, {})) {
        if (parameter.kind != ParameterKind::Number)
            continue;
        const auto resolved = resolveQuantity(scenario, parameter.path);
        const auto& quantity = resolved.in(scenario);
        if (quantity.isSet() && quantity.value != 0.0 && wanted(quantity))
            inputs.push_back(inputOf(scenario, parameter.path, resolved, share));
    }
    return inputs;
}

double metricAt(const Scenario& scenario, const MetricSpec& spec, StepCache& steps,
                const std::stop_token& stop) {
    if (hasErrors(validate(scenario)))
        return kUnset;
    Evaluation evaluation;
    evaluateInto(scenario, evaluation, steps);
    const bool asked = isSimulated(spec.metric) || !evaluation.feasible;
    if (asked)
        simulateInto(scenario, evaluation, {.stop = stop});
    if (stop.stop_requested()) // a simulation that was stopped means nothing
        throw Error(ErrorCode::Cancelled, "tornado", "cancelled", {});
    return evaluation.feasible ? toEdge(evaluation.metric(spec.metric), spec.scale) : kUnset;
}

} // namespace

std::vector<UncertainInput> calibratedInputs(const Scenario& scenario, double share) {
    return inputsWhere(scenario, share, [](const Quantity& quantity) {
        return quantity.provenance == Provenance::Calibrated;
    });
}

std::vector<UncertainInput> allInputs(const Scenario& scenario, double share) {
    return inputsWhere(scenario, share, [](const Quantity&) { return true; });
}

Tornado tornado(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                const std::string& metric, const std::stop_token& stop) {
    const auto* spec = findMetric(metric);
    if (!spec)
        throw Error(ErrorCode::NotFound, metric.substr(0, 80), "no such metric", {});
    auto moved = scenario;
    std::vector<std::uint64_t> keys(scenario.nodes.size(), 0); // of the design as it is: 0
    StepCache steps;
    steps.setKeys(keys);
    Tornado out{metricAt(moved, *spec, steps, stop), {}};
    if (std::isnan(out.base)) // a metric that the design does not have is moved by nothing
        return out;
    std::uint64_t tried = 0;
    const auto metricMoved = [&](const StepReach& reach) {
        ++tried;
        for (std::size_t node = 0; node < keys.size(); ++node)
            keys[node] = reach.reaches(node) ? tried : 0;
        return metricAt(moved, *spec, steps, stop);
    };
    for (const auto& input : inputs) {
        const auto resolved = resolveQuantity(moved, input.path);
        auto& quantity = resolved.access(moved);
        const auto before = quantity;
        const auto move = [&](double to) { quantity = {to * resolved.spec.scale, Provenance::User, {}}; };
        const auto reach = stepReach(scenario, input.path);
        Swing swing{input, 0.0, 0.0};
        move(input.low);
        swing.atLow = metricMoved(reach);
        move(input.high);
        swing.atHigh = metricMoved(reach);
        quantity = before;
        if (std::isnan(swing.atLow) || std::isnan(swing.atHigh) || swing.atLow != out.base ||
            swing.atHigh != out.base)
            out.swings.push_back(std::move(swing));
    }
    const auto width = [](const Swing& swing) {
        const double w = std::fabs(swing.atHigh - swing.atLow);
        return std::isnan(w) ? -1.0 : w;
    };
    std::stable_sort(out.swings.begin(), out.swings.end(), [&](const Swing& a, const Swing& b) {
        return width(a) != width(b) ? width(a) > width(b) : a.input.path < b.input.path;
    });
    return out;
}

} // namespace heteroscape::engine
