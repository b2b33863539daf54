// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/timing.h"

#include "engine/timing/instruction_stream.h"
#include "engine/timing/launch_floor.h"
#include "engine/timing/roofline.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

TimingModel modelOf(const Machine& machine, Phase phase) {
    return phase == Phase::Prefill ? machine.runtime->prefillTiming : machine.runtime->decodeTiming;
}

} // namespace

StepCost stepCost(const OperatorGraph& graph, const Machine& machine, Phase phase) {
    switch (modelOf(machine, phase)) {
    case TimingModel::LaunchFloor:
        return launchFloorCost(graph, machine, phase);
    case TimingModel::InstructionStream:
        return InstructionStream(graph, machine).cost();
    case TimingModel::Roofline:
        break;
    }
    return rooflineCost(graph, machine, phase);
}

Affine movedBytes(const OperatorGraph& graph, const Machine& machine, Phase phase) {
    if (modelOf(machine, phase) == TimingModel::InstructionStream)
        return InstructionStream(graph, machine).movedBytes();
    return machine.bytes(graph);
}

void operatorTimes(const OperatorGraph& graph, const Machine& machine, Phase phase, double keys,
                   std::span<OperatorTime> out) {
    const auto operators = graph.operators();
    if (modelOf(machine, phase) == TimingModel::InstructionStream) {
        const InstructionStream stream(graph, machine);
        for (std::size_t i = 0; i < operators.size(); ++i)
            out[i] = {stream.seconds(operators[i], keys), stream.bound(operators[i])};
        return;
    }
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
    const double step = stepCost(graph, machine, phase).at(keys);
    const bool shrinks = compute + memory > step && step > memory;
    const double scale = shrinks ? (step - memory) / compute : step / (compute + memory);
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (!shrinks || out[i].bound == Bound::Compute)
            out[i].seconds *= scale;
}

} // namespace heteroscape::engine
