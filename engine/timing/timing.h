// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/machine.h"

namespace heteroscape::engine {

/// The cost of a step by the timing model that the runtime names for this phase.
StepCost stepCost(const OperatorGraph& graph, const Machine& machine, Phase phase);

/// Bytes that a step moves under that timing model (with meta-data where there is any).
Affine movedBytes(const OperatorGraph& graph, const Machine& machine, Phase phase);

/// Seconds of one operator and its bound.
struct OperatorTime {
    double seconds = 0.0;
    Bound bound = Bound::None;
};

/// The step's time at a context of `keys` shared out to its operators (parallel to graph.operators()).
/// instruction_stream: each operator's own time. roofline, launch_floor are calibrated on whole steps:
/// memory-bound operators take their own roofline time and compute-bound ones share the rest; when all are
/// shorter than the step (a launch floor), all stretch in proportion. The times add up to the step's.
void operatorTimes(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys,
                   std::span<OperatorTime> out);

} // namespace heteroscape::engine
