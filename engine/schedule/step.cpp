// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/schedule/two_stream.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/ascend910b_measured.h"
#include "engine/timing/instruction_stream.h"
#include "engine/timing/launch_floor.h"
#include "engine/timing/roofline.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

TimingModel modelOf(const Machine& machine, Phase phase) {
    return phase == Phase::Prefill ? machine.runtime->prefillTiming : machine.runtime->decodeTiming;
}

/// The prefill of ascend910b_measured: l2_panel with everything prefetched that fits, free communication and
/// no LM head, as it was calibrated.
struct MeasuredPrefill {
    OperatorGraph graph;
    Machine machine;

    MeasuredPrefill(const OperatorGraph& step, const Machine& on) : graph(step), machine(on) {
        insertPrefetches(graph, {on.l2Capacity, on.weightBytes, on.kvBytes, true, true});
        machine.collective = {};
        for (auto& op : graph.operators())
            if (op.segment == Segment::Head)
                op.repeat = 0.0;
    }
    TwoStream streams() const { return {graph, machine, Phase::Prefill}; }
};

/// Calls use(streams) with the two-stream schedule of a phase whose timing sees single operators.
template <class Use>
auto withStreams(const OperatorGraph& graph, const Machine& machine, Phase phase, Use use) {
    if (modelOf(machine, phase) == TimingModel::L2Panel)
        return use(TwoStream(graph, machine, phase));
    const MeasuredPrefill prefill(graph, machine);
    return use(prefill.streams());
}

bool isMeasuredDecode(const Machine& machine, Phase phase) {
    return phase == Phase::Decode && modelOf(machine, phase) == TimingModel::Ascend910bMeasured;
}

double collectiveSeconds(const OperatorGraph& graph, const Machine& machine) {
    double seconds = 0.0;
    for (const auto& op : graph.operators())
        seconds += op.repeat * machine.collectiveSeconds(op);
    return seconds;
}

StepCost wholeStepCost(const OperatorGraph& graph, const Machine& machine, Phase phase) {
    switch (modelOf(machine, phase)) {
    case TimingModel::LaunchFloor:
        return launchFloorCost(graph, machine, phase);
    case TimingModel::InstructionStream:
        return InstructionStream(graph, machine).cost();
    default:
        return rooflineCost(graph, machine, phase);
    }
}

void measuredTimes(const OperatorGraph& graph, const Machine& machine, double keys,
                   std::span<OperatorTime> out) {
    const Ascend910bMeasured layer(graph, machine);
    const auto operators = graph.operators();
    double weights = 0.0;
    double count = 0.0;
    for (const auto& op : operators)
        if (op.segment != Segment::Head) {
            weights += op.weights;
            ++count;
        }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        out[i] = {};
        if (op.segment == Segment::Head)
            continue;
        const double read = layer.layerWeights() * op.weights / weights +
                            (op.kind == OperatorKind::Attention ? layer.layerKv().at(keys) : 0.0);
        const double fixed = layer.layerFixed() / count;
        out[i] = {op.repeat * (fixed + read), read > fixed ? Bound::Memory : Bound::FixedLayer};
    }
}

void rooflineTimes(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys,
                   std::span<OperatorTime> out) {
    const auto operators = graph.operators();
    double compute = 0.0; // own times of compute-bound operators, s
    double memory = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const double flops = op.flops.at(keys) / (machine.peakFlops * machine.computeEfficiency(phase));
        const double bytes =
            machine.bytes(op).at(keys) / (machine.peakBandwidth * machine.memoryEfficiency(phase));
        out[i] = {op.repeat * std::max(flops, bytes), flops > bytes ? Bound::Compute : Bound::Memory};
        (out[i].bound == Bound::Compute ? compute : memory) += out[i].seconds;
    }
    // Too long together: the compute-bound ones run faster than the mean efficiency, since only they can
    // without passing a roof. Too short: all of them wait, for launches.
    const double step = wholeStepCost(graph, machine, phase).at(keys);
    const bool shrinks = compute + memory > step && step > memory;
    const double scale = shrinks ? (step - memory) / compute : step / (compute + memory);
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (!shrinks || out[i].bound == Bound::Compute)
            out[i].seconds *= scale;
}

} // namespace

StepCost stepCost(const OperatorGraph& graph, const Machine& machine, Phase phase, double firstKeys,
                  double lastKeys) {
    if (isMeasuredDecode(machine, phase)) {
        const Ascend910bMeasured layer(graph, machine);
        const auto seconds = layer.layerSeconds();
        StepCost cost;
        cost.add(layer.layerFixed() > 0.5 * seconds.at(firstKeys) ? Bound::FixedLayer : Bound::Memory,
                 seconds * graph.model().layers.value);
        return cost;
    }
    if (seesL2(modelOf(machine, phase)))
        return withStreams(graph, machine, phase, [&](const TwoStream& streams) {
            return StepCost::fromTangents(firstKeys, lastKeys, [&](double keys) {
                const auto step = streams.at(keys);
                return std::pair(step.seconds, step.bound);
            });
        });
    auto cost = wholeStepCost(graph, machine, phase);
    cost.delay(collectiveSeconds(graph, machine));
    return cost;
}

Affine movedBytes(const OperatorGraph& graph, const Machine& machine, Phase phase) {
    if (modelOf(machine, phase) == TimingModel::InstructionStream)
        return InstructionStream(graph, machine).movedBytes();
    if (seesL2(modelOf(machine, phase)) && !isMeasuredDecode(machine, phase))
        return withStreams(graph, machine, phase,
                           [](const TwoStream& streams) { return streams.movedBytes(); });
    return machine.bytes(graph);
}

void operatorTimes(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys,
                   std::span<OperatorTime> out) {
    const auto operators = graph.operators();
    if (isMeasuredDecode(machine, phase)) {
        measuredTimes(graph, machine, keys, out);
        return;
    }
    if (seesL2(modelOf(machine, phase))) {
        withStreams(graph, machine, phase,
                    [&](const TwoStream& streams) { streams.operatorTimes(keys, out); });
        return;
    }
    if (modelOf(machine, phase) == TimingModel::InstructionStream) {
        const InstructionStream stream(graph, machine);
        for (std::size_t i = 0; i < operators.size(); ++i)
            out[i] = {stream.seconds(operators[i], keys), stream.bound(operators[i])};
    } else {
        rooflineTimes(graph, machine, phase, keys, out);
    }
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (operators[i].kind == OperatorKind::AllReduce)
            out[i] = {operators[i].repeat * machine.collectiveSeconds(operators[i]), Bound::Network};
}

SegmentSeconds segmentSeconds(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys) {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(graph, machine, phase, keys, times);
    SegmentSeconds seconds;
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        auto& part = operators[i].segment == Segment::Attention ? seconds.attention
                     : operators[i].segment == Segment::Ffn     ? seconds.ffn
                                                                : seconds.head;
        part += times[i].seconds / operators[i].repeat;
    }
    return seconds;
}

std::vector<ScheduleBlock> scheduleBlocks(const OperatorGraph& graph, const Machine& machine, Phase phase,
                                          double keys) {
    if (seesL2(modelOf(machine, phase)) && !isMeasuredDecode(machine, phase))
        return withStreams(graph, machine, phase,
                           [keys](const TwoStream& streams) { return streams.blocks(keys); });
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(graph, machine, phase, keys, times);
    std::vector<ScheduleBlock> blocks;
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (blocks.empty() || blocks.back().segment != op.segment)
            blocks.push_back({op.segment, op.repeat, 0.0, {}});
        auto& block = blocks.back();
        const double end = block.seconds + times[i].seconds / op.repeat;
        const bool reduces = op.kind == OperatorKind::AllReduce;
        if (end > block.seconds)
            block.segments.push_back({reduces ? Lane::Network : Lane::Compute,
                                      reduces ? Work::AllReduce : Work::Operator, i, block.seconds, end});
        block.seconds = end;
    }
    return blocks;
}

} // namespace heteroscape::engine
