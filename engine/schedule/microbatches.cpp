// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/microbatches.h"

namespace heteroscape::engine {

Microbatches::Microbatches(const OperatorGraph& stage, const Machine& machine, Phase phase, double count)
    : m_stage(stage), m_phase(phase), m_count(count) {
    timePhase(m_timing, m_stage, machine, phase);
}

StepCost Microbatches::cost(StepCost alone, double firstKeys, double lastKeys) const {
    const auto stage = m_timing->cost(firstKeys, lastKeys);
    if (m_phase == Phase::Decode) {
        alone.raiseTo(stage, m_count);
        return alone;
    }
    return StepCost::overStretches(
        firstKeys, lastKeys,
        [&](double keys) { return std::min(alone.stretchEnd(keys), stage.stretchEnd(keys)); },
        [&](double keys) {
            return std::pair(alone.tangentAt(keys) + stage.tangentAt(keys) * (m_count - 1.0),
                             alone.boundAt(keys));
        });
}

Term Microbatches::explain(const Term& alone, Contexts contexts, double keys) const {
    const auto stage = m_timing->explainWithin(contexts, keys)
                           .named("The fullest stage and its message", measures::milliseconds);
    const auto one = alone.named("A microbatch through all stages", measures::milliseconds);
    const auto counted = [&](double count, const char* name) {
        return (Term::counted(name, count, measures::count, "layout of the node") * stage);
    };
    if (m_phase == Phase::Decode)
        return maximum("Step", measures::milliseconds,
                       {one, counted(m_count, "Microbatches")
                                 .named("Until all have passed the fullest stage", measures::milliseconds)});
    return sum(
        "Step", measures::milliseconds,
        {one,
         counted(m_count - 1.0, "Other microbatches").named("Those that follow", measures::milliseconds)});
}

} // namespace heteroscape::engine
