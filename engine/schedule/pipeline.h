// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// One of those that take part in a step of several nodes, or the links between them.
struct StepPart {
    double halved = 0.0;       ///< s, the step if it took half its time
    Bound bound = Bound::None; ///< its own
};

/// The other microbatches of a step: a replica is a pipeline of P stages, and M parts of the batch
/// are under way in it. The slowest stage hands over one after the other, and what it takes for one (t, with
/// its message to the next stage, x) decides how long the batch takes:
///
///     prefill   sum t_i + (P - 1) x + (M - 1)(max t_i + x)
///     decode    max(sum t_i + P x, M (max t_i + x)): until every microbatch has come round again
///
/// The first part of each is a microbatch alone, on its way through all stages; max t_i + x is a step of the
/// fullest stage. Exact for equal stages, else never less than it takes. Source: moe_parallel, section 7;
/// the same for known times of stages: pipelinePassSeconds(), pipelineRoundSeconds().
class Microbatches {
public:
    /// The graph of the fullest stage, its techniques applied, of one of `count` microbatches. The machine
    /// outlives it.
    Microbatches(const OperatorGraph& stage, const Machine& machine, Phase phase, double count);
    Microbatches(const Microbatches&) = delete;
    Microbatches& operator=(const Microbatches&) = delete;

    double count() const { return m_count; }

    /// A step of all, from that of one alone.
    StepCost cost(StepCost alone, double firstContext, double lastContext) const;
    double slowestSeconds(double context) const {
        return m_timing->cost(context, context).at(context);
    } ///< max t_i + x
    Term explain(const Term& alone, Contexts contexts, double context) const;

private:
    OperatorGraph m_stage;
    TimingRoom m_timing;
    Phase m_phase;
    double m_count;
};

// What a pipeline of stages takes. Times in s (any one unit does), one for each stage and the same for every
// microbatch; a stage that sends does nothing else. One stage sends to nobody. Source: moe_parallel,
// section 7.

/// Between two stages; nothing where there is one.
inline double sendSeconds(std::span<const double> stages, double send) {
    return stages.size() > 1 ? send : 0.0;
}

/// `microbatches` (>= 1) through all stages (at least one) once, as in a prefill:
/// sum t_i + (P - 1) x + (M - 1)(max t_i + x). Exact for equal stages, else never less than it takes.
inline double pipelinePassSeconds(std::span<const double> stages, double microbatches, double send) {
    const double x = sendSeconds(stages, send);
    const double slowest = *std::max_element(stages.begin(), stages.end());
    return std::accumulate(stages.begin(), stages.end(), 0.0) + static_cast<double>(stages.size() - 1) * x +
           (microbatches - 1.0) * (slowest + x);
}

/// Until each of `microbatches` (>= 1) that go round and round comes by again, as in decode: one token of all
/// requests. max(sum t_i + P x, M (max t_i + x)).
inline double pipelineRoundSeconds(std::span<const double> stages, double microbatches, double send) {
    const double x = sendSeconds(stages, send);
    const double slowest = *std::max_element(stages.begin(), stages.end());
    const double alone =
        std::accumulate(stages.begin(), stages.end(), 0.0) + static_cast<double>(stages.size()) * x;
    return std::max(alone, microbatches * (slowest + x));
}

/// One stage of a pipeline.
struct StageTime {
    std::string name; ///< of its node, where stages lie on several; else empty
    double layers = 0.0;
    double seconds = 0.0; ///< of one microbatch
    double send = 0.0;    ///< s of its message to the next stage; the last of a decode sends to the first
};

/// A microbatch in a stage, or its message to the next one.
struct StageTurn {
    std::size_t stage = 0;
    std::size_t microbatch = 0;
    bool sends = false;
    double start = 0.0; ///< s from the start of the step
    double end = 0.0;
};

/// Who works on what while a step of `stepSeconds` runs, in the order of stages and, within one, of time. In
/// a prefill every microbatch enters as soon as the first stage is free and goes on as soon as the next one
/// is. In a decode they go round and round, and what is shown is one round: they enter one after the other,
/// evenly apart, and a turn that passes the end of the step is shown in two parts (a prefill's is cut). A
/// stage that sends does nothing else; between its turns it waits.
std::vector<StageTurn> stageTurns(std::span<const StageTime> stages, std::size_t microbatches, bool decode,
                                  double stepSeconds);

} // namespace heteroscape::engine
