// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/blocks.h"
#include "engine/timing/machine.h"

namespace heteroscape::engine {

// One step of a model on one device of a pool, by the timing model that the runtime names for the phase.
// Models of whole steps (roofline, launch_floor, instruction_stream) run their operators one after the other,
// with allreduces in between; l2_panel runs them on two streams; ascend910b_measured repeats a measured
// layer.

/// The time of a step for contexts from `firstKeys` to `lastKeys`.
StepCost stepCost(const OperatorGraph& graph, const Machine& machine, Phase phase, double firstKeys,
                  double lastKeys);

/// Bytes that a step moves under that timing model (with meta-data, or what tiling reads again).
Affine movedBytes(const OperatorGraph& graph, const Machine& machine, Phase phase);

/// The step's time at a context of `keys` shared out to its operators (parallel to graph.operators()), all
/// repeats; the times add up to the step's. instruction_stream and l2_panel: each operator's own time.
/// roofline, launch_floor are calibrated on whole steps: memory-bound operators take their own roofline time
/// and compute-bound ones share the rest; when all are shorter than the step (a launch floor), all stretch in
/// proportion. ascend910b_measured: the fixed time in equal parts, weights by their bytes, V to attention.
void operatorTimes(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys,
                   std::span<OperatorTime> out);

/// Seconds of each part of a step, once.
struct SegmentSeconds {
    double attention = 0.0;
    double ffn = 0.0;
    double head = 0.0;
};
SegmentSeconds segmentSeconds(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys);

/// The schedule of one step at a context of `keys`. Sum of repeat x seconds is the step's time.
std::vector<ScheduleBlock> scheduleBlocks(const OperatorGraph& graph, const Machine& machine, Phase phase,
                                          double keys);

} // namespace heteroscape::engine
