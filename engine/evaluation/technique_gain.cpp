// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/technique_gain.h"

#include "engine/evaluation/evaluate.h"
#include "engine/units/number_text.h"

namespace heteroscape::engine {

std::vector<TechniqueGain> techniqueGains(const Scenario& scenario) {
    std::vector<TechniqueGain> gains;
    auto without = scenario;
    const auto with = evaluate(scenario, Detail::Metrics);
    for (const auto* kind : techniqueKinds().all()) {
        auto& enabled = without.techniques[*kind].enabled;
        if (!enabled)
            continue;
        enabled = false;
        const auto base = evaluate(without, Detail::Metrics);
        TechniqueGain gain;
        gain.id = kind->id();
        gain.label = kind->label();
        gain.comparable = with.feasible && base.feasible;
        if (!gain.comparable)
            gain.reason = evaluate(with.feasible ? without : scenario).reason;
        enabled = true;
        if (gain.comparable) {
            const auto ratio = [](const Evaluation& over, const Evaluation& under, Metric metric) {
                return over.metric(metric) / under.metric(metric);
            };
            gain.throughput = ratio(with, base, Metric::Throughput);
            gain.latency = ratio(base, with, Metric::Latency);
            gain.timePerToken = ratio(base, with, Metric::TimePerToken);
        }
        gains.push_back(std::move(gain));
    }
    return gains;
}

std::string gainText(const TechniqueGain& gain) {
    if (!gain.comparable)
        return gain.label + ": nothing to compare with. " + gain.reason;
    if (gain.throughput == 1.0 && gain.latency == 1.0 && gain.timePerToken == 1.0)
        return gain.label + ": changes nothing here";
    const auto times = [](double ratio) { return shortText(ratio, 4) + " \u00d7"; };
    return gain.label + ": throughput " + times(gain.throughput) + ", latency " + times(gain.latency) +
           ", time per token " + times(gain.timePerToken) + " better than without";
}

} // namespace heteroscape::engine
