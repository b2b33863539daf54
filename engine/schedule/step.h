// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/layer_flows.h"
#include "engine/schedule/two_stream.h"
#include "engine/timing/machine.h"

#include <optional>

namespace heteroscape::engine {

/// Seconds by kind of work.
using WorkSeconds = std::array<double, kWorkCount>;

/// Seconds of each part of a step, once.
struct SegmentSeconds {
    double attention = 0.0;
    double ffn = 0.0;
    double head = 0.0;
};

/// One step of a model on one device of a pool, by the timing model that the runtime names for the phase.
/// Models of whole steps (roofline, launch_floor, instruction_stream) run their operators one after the
/// other, with allreduces in between; l2_panel runs them on two streams; ascend910b_measured repeats a
/// measured layer, after a prefill by l2_panel with everything prefetched that fits, free communication and
/// no LM head, as it was calibrated. Where the runtime offloads, a layer's flows are added to its operators
/// or run beside them (see LayerFlows).
class Step {
public:
    /// The graph, its techniques applied, the machine and the flows (null: nothing is offloaded) outlive the
    /// step.
    Step(const OperatorGraph& graph, const Machine& machine, Phase phase, const LayerFlows* flows = nullptr);
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

    /// The time for contexts from `firstKeys` to `lastKeys`.
    StepCost cost(double firstKeys, double lastKeys) const;

    /// Bytes that the step moves under its timing model (with meta-data, or what tiling reads again).
    Affine movedBytes() const;

    /// The time at a context of `keys` shared out to the operators (parallel to the graph's), all repeats;
    /// the times add up to the step's. instruction_stream and l2_panel: each operator's own time. roofline,
    /// launch_floor are calibrated on whole steps: memory-bound operators take their own roofline time and
    /// compute-bound ones share the rest; when all are shorter than the step (a launch floor), all stretch in
    /// proportion. ascend910b_measured: the fixed time in equal parts, weights by their bytes, V to
    /// attention.
    void operatorTimes(double keys, std::span<OperatorTime> out) const;

    SegmentSeconds segmentSeconds(double keys) const;

    /// A whole decode, shared out to what it waits for (contexts as StepCost::sumOverDecode). Of chains that
    /// run side by side the longest takes the time.
    WorkSeconds decodeParts(double prompt, double tokens) const;

    /// The schedule at a context of `keys`. Sum of repeat x seconds is the step's time.
    std::vector<ScheduleBlock> blocks(double keys) const;

private:
    /// What the prefill of ascend910b_measured runs instead.
    struct MeasuredPrefill {
        OperatorGraph graph;
        Machine machine;
        MeasuredPrefill(const OperatorGraph& step, const Machine& on);
    };

    const OperatorGraph& m_graph;
    const Machine& m_machine;
    Phase m_phase;
    TimingModel m_model;
    const LayerFlows* m_flows;
    std::optional<MeasuredPrefill> m_measured;
    std::optional<TwoStream> m_streams;

    StepCost wholeCost() const;
    StepCost operatorCost(double firstKeys, double lastKeys) const;
    StepCost chainCost(double keys) const;
    void ownTimes(double keys, std::span<OperatorTime> out) const;
    std::vector<ScheduleBlock> offloadedBlocks(double keys) const;
    void measuredTimes(double keys, std::span<OperatorTime> out) const;
    void rooflineTimes(double keys, std::span<OperatorTime> out) const;
};

} // namespace heteroscape::engine
