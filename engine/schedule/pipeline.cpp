// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/pipeline.h"

#include <cmath>

namespace heteroscape::engine {

Microbatches::Microbatches(const OperatorGraph& stage, const Machine& machine, Phase phase, double count)
    : m_stage(stage), m_phase(phase), m_count(count) {
    timePhase(m_timing, m_stage, machine, phase);
}

StepCost Microbatches::cost(StepCost alone, double firstContext, double lastContext) const {
    const auto stage = m_timing->cost(firstContext, lastContext);
    if (m_phase == Phase::Decode) {
        alone.raiseTo(stage, m_count);
        return alone;
    }
    return StepCost::overStretches(
        firstContext, lastContext,
        [&](double context) { return std::min(alone.stretchEnd(context), stage.stretchEnd(context)); },
        [&](double context) {
            return std::pair(alone.tangentAt(context) + stage.tangentAt(context) * (m_count - 1.0),
                             alone.boundAt(context));
        });
}

Term Microbatches::explain(const Term& alone, Contexts contexts, double context) const {
    const auto stage = m_timing->explainWithin(contexts, context)
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

namespace {

void addTurn(std::vector<StageTurn>& turns, StageTurn turn, double stepSeconds, bool decode) {
    constexpr double kRounding = 1e-9;
    const double length = turn.end - turn.start;
    if (!(length > 0.0))
        return;
    turn.start = decode ? std::fmod(turn.start, stepSeconds) : turn.start;
    turn.end = std::min(turn.start + length, stepSeconds);
    if (turn.end > turn.start)
        turns.push_back(turn);
    if (const double over = turn.start + length - stepSeconds; decode && over > kRounding * stepSeconds) {
        turn.start = 0.0;
        turn.end = over;
        turns.push_back(turn);
    }
}

} // namespace

std::vector<StageTurn> stageTurns(std::span<const StageTime> stages, std::size_t microbatches, bool decode,
                                  double stepSeconds) {
    std::vector<StageTurn> turns;
    std::vector<double> ready(microbatches, 0.0); // each at the stage
    if (decode)
        for (std::size_t m = 0; m < microbatches; ++m)
            ready[m] = static_cast<double>(m) / static_cast<double>(microbatches) * stepSeconds;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const auto& stage = stages[s];
        const auto first = turns.size();
        double free = 0.0;
        for (std::size_t m = 0; m < microbatches; ++m) {
            const double start = decode ? ready[m] : std::max(ready[m], free);
            const double end = start + stage.seconds;
            addTurn(turns, {s, m, false, start, end}, stepSeconds, decode);
            addTurn(turns, {s, m, true, end, end + stage.send}, stepSeconds, decode);
            ready[m] = free = end + stage.send;
        }
        std::sort(turns.begin() + static_cast<std::ptrdiff_t>(first), turns.end(),
                  [](const StageTurn& a, const StageTurn& b) { return a.start < b.start; });
    }
    return turns;
}

} // namespace heteroscape::engine
