// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/ascend910b_measured.h"
#include "engine/timing/instruction_stream.h"
#include "engine/timing/launch_floor.h"
#include "engine/timing/roofline.h"

#include <algorithm>

namespace heteroscape::engine {

Step::MeasuredPrefill::MeasuredPrefill(const OperatorGraph& step, const Machine& on)
    : graph(step), machine(on) {
    insertPrefetches(graph, {on.l2Capacity, on.weightBytes, on.kvBytes, true, true});
    machine.collective = {};
    for (auto& op : graph.operators())
        if (op.segment == Segment::Head)
            op.repeat = 0.0;
}

Step::Step(const OperatorGraph& graph, const Machine& machine, Phase phase, const LayerFlows* flows)
    : m_graph(graph), m_machine(machine), m_phase(phase),
      m_model(phase == Phase::Prefill ? machine.runtime->prefillTiming : machine.runtime->decodeTiming),
      m_flows(flows) {
    if (m_model == TimingModel::L2Panel) {
        m_streams.emplace(graph, machine, phase);
    } else if (m_model == TimingModel::Ascend910bMeasured && phase == Phase::Prefill) {
        m_measured.emplace(graph, machine);
        m_streams.emplace(m_measured->graph, m_measured->machine, phase);
    }
}

StepCost Step::wholeCost() const {
    switch (m_model) {
    case TimingModel::LaunchFloor:
        return launchFloorCost(m_graph, m_machine, m_phase);
    case TimingModel::InstructionStream:
        return InstructionStream(m_graph, m_machine).cost();
    default:
        return rooflineCost(m_graph, m_machine, m_phase);
    }
}

StepCost Step::operatorCost(double firstKeys, double lastKeys) const {
    if (m_streams)
        return StepCost::fromTangents(firstKeys, lastKeys, [&](double keys) {
            const auto step = m_streams->at(keys);
            return std::pair(step.seconds, step.bound);
        });
    if (m_model == TimingModel::Ascend910bMeasured) {
        const Ascend910bMeasured layer(m_graph, m_machine);
        const auto seconds = layer.layerSeconds();
        StepCost cost;
        cost.add(layer.layerFixed() > 0.5 * seconds.at(firstKeys) ? Bound::FixedLayer : Bound::Memory,
                 seconds * m_graph.model().layers.value);
        return cost;
    }
    auto cost = wholeCost();
    double collectives = 0.0;
    for (const auto& op : m_graph.operators())
        collectives += op.repeat * m_machine.collectiveSeconds(op);
    cost.delay(collectives);
    return cost;
}

Affine Step::movedBytes() const {
    if (m_streams)
        return m_streams->movedBytes();
    if (m_model == TimingModel::InstructionStream)
        return InstructionStream(m_graph, m_machine).movedBytes();
    return m_machine.bytes(m_graph);
}

void Step::measuredTimes(double keys, std::span<OperatorTime> out) const {
    const Ascend910bMeasured layer(m_graph, m_machine);
    const auto operators = m_graph.operators();
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

void Step::rooflineTimes(double keys, std::span<OperatorTime> out) const {
    const auto operators = m_graph.operators();
    double compute = 0.0; // own times of compute-bound operators, s
    double memory = 0.0;
    const double flopRate = m_machine.peakFlops * m_machine.computeEfficiency(m_phase);
    const double byteRate = m_machine.peakBandwidth * m_machine.memoryEfficiency(m_phase);
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const double flops = op.flops.at(keys) / flopRate;
        const double bytes = m_machine.bytes(op).at(keys) / byteRate;
        out[i] = {op.repeat * std::max(flops, bytes), flops > bytes ? Bound::Compute : Bound::Memory};
        (out[i].bound == Bound::Compute ? compute : memory) += out[i].seconds;
    }
    // Too long together: the compute-bound ones run faster than the mean efficiency, since only they can
    // without passing a roof. Too short: all of them wait, for launches.
    const double step = wholeCost().at(keys);
    const bool shrinks = compute + memory > step && step > memory;
    const double scale = shrinks ? (step - memory) / compute : step / (compute + memory);
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (!shrinks || out[i].bound == Bound::Compute)
            out[i].seconds *= scale;
}

void Step::ownTimes(double keys, std::span<OperatorTime> out) const {
    if (m_streams) {
        m_streams->operatorTimes(keys, out);
        return;
    }
    if (m_model == TimingModel::Ascend910bMeasured) {
        measuredTimes(keys, out);
        return;
    }
    const auto operators = m_graph.operators();
    if (m_model == TimingModel::InstructionStream) {
        const InstructionStream stream(m_graph, m_machine);
        for (std::size_t i = 0; i < operators.size(); ++i)
            out[i] = {stream.seconds(operators[i], keys), stream.bound(operators[i])};
    } else {
        rooflineTimes(keys, out);
    }
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (operators[i].kind == OperatorKind::AllReduce)
            out[i] = {operators[i].repeat * m_machine.collectiveSeconds(operators[i]), Bound::Network};
}

SegmentSeconds Step::segmentSeconds(double keys) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(keys, times);
    SegmentSeconds seconds;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        auto& part = operators[i].segment == Segment::Attention ? seconds.attention
                     : operators[i].segment == Segment::Ffn     ? seconds.ffn
                                                                : seconds.head;
        part += times[i].seconds / operators[i].repeat;
    }
    return seconds;
}

std::vector<ScheduleBlock> Step::blocks(double keys) const {
    if (m_flows)
        return offloadedBlocks(keys);
    if (m_streams)
        return m_streams->blocks(keys);
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(keys, times);
    std::vector<ScheduleBlock> blocks;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (blocks.empty() || blocks.back().segment != op.segment)
            blocks.push_back({op.segment, op.repeat, 0.0, {}});
        auto& block = blocks.back();
        const double end = block.seconds + times[i].seconds / op.repeat;
        const bool reduces = op.kind == OperatorKind::AllReduce;
        if (end > block.seconds)
            block.segments.push_back({reduces ? Lane::Network : Lane::Compute,
                                      reduces ? Work::AllReduce : Work::Operator, i, block.seconds, end, 0.0,
                                      times[i].bound});
        block.seconds = end;
    }
    return blocks;
}

} // namespace heteroscape::engine
