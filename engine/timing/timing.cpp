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
    double sum = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const double compute = op.flops.at(keys) / (machine.peakFlops * machine.computeEfficiency(phase));
        const double memory =
            machine.bytes(op).at(keys) / (machine.peakBandwidth * machine.memoryEfficiency(phase));
        out[i] = {op.repeat * std::max(compute, memory), compute > memory ? Bound::Compute : Bound::Memory};
        sum += out[i].seconds;
    }
    const double scale = stepCost(graph, machine, phase).at(keys) / sum;
    for (std::size_t i = 0; i < operators.size(); ++i)
        out[i].seconds *= scale;
}

} // namespace heteroscape::engine
