// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

/// The other microbatches of a step: a copy of the model is a pipeline of P stages, and M parts of the batch
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
    /// The graph of the fullest stage, its techniques applied, of one of `count` (> 1) microbatches. The
    /// machine outlives it.
    Microbatches(const OperatorGraph& stage, const Machine& machine, Phase phase, double count);
    Microbatches(const Microbatches&) = delete;
    Microbatches& operator=(const Microbatches&) = delete;

    double count() const { return m_count; }

    /// A step of all, from that of one alone.
    StepCost cost(StepCost alone, double firstKeys, double lastKeys) const;
    Term explain(const Term& alone, Contexts contexts, double keys) const;

private:
    OperatorGraph m_stage;
    TimingRoom m_timing;
    Phase m_phase;
    double m_count;
};

} // namespace heteroscape::engine
