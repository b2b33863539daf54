// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/explain.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/node_terms.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/system_terms.h"

#include <cmath>

namespace heteroscape::engine {

namespace {

Term withoutValue(Metric which, const std::string& why) {
    const auto& spec = metricSpec(which);
    return Term::counted(std::string(spec.label), kUnset, {spec.unit, spec.scale}, why);
}

Term explainServing(const Scenario& scenario, const Evaluation& evaluation, Metric which,
                    const std::stop_token& stop) {
    if (!scenario.serving.isSimulated())
        return withoutValue(which, "Arrivals are " + std::string(scenario.serving.arrivals->id()) +
                                       ": nothing is simulated. Set arrivals to " + simulatedArrivalsText());
    SimulationOptions options;
    options.stop = stop;
    const auto serving = simulate(scenario, evaluation, options);
    return serving.ran() ? asMetric(explainServingMetric(scenario, serving, which), which)
                         : withoutValue(which, serving.reason);
}

Term explainMetric(const Scenario& scenario, Metric which, const std::stop_token& stop) {
    const auto evaluation = evaluate(scenario);
    const bool valid = !hasErrors(validate(scenario));
    if (isSimulated(which))
        return valid ? explainServing(scenario, evaluation, which, stop)
                     : withoutValue(which, evaluation.reason);
    const bool unset = std::isnan(evaluation.metric(which));
    if (which == Metric::Price || which == Metric::Area) {
        const auto term = which == Metric::Price ? explainPrice(scenario) : explainArea(scenario);
        if (valid && term.value() != 0.0)
            return asMetric(term, which);
        return withoutValue(which, valid ? "no part of the design has one" : evaluation.reason);
    }
    if (!evaluation.feasible)
        return withoutValue(which, evaluation.reason);
    const SystemTerms terms(scenario, evaluation);
    const auto& term = terms.metric(which);
    if (!term && unset)
        return withoutValue(which, isOfOffloading(which) ? "nothing is offloaded in this design"
                                                         : "a quantity that it needs is not set");
    return term ? term : asMetric(term, which);
}

} // namespace

Term explain(const Scenario& scenario, const std::string& metricKey, const std::stop_token& stop) {
    if (const auto* spec = findMetric(metricKey))
        return explainMetric(scenario, spec->metric, stop);
    if (auto term = explainNodeMetric(scenario, metricKey))
        return *term;
    std::vector<std::string> keys;
    for (const auto& spec : metricSpecs())
        keys.emplace_back(spec.key);
    for (auto& path : explainedNodeMetrics(scenario))
        keys.push_back(std::move(path));
    throw Error(ErrorCode::NotFound, metricKey.substr(0, 200), "no such metric", "Allowed: " + joined(keys));
}

} // namespace heteroscape::engine
