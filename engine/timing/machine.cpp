// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/machine.h"

#include <limits>

namespace heteroscape::engine {

namespace {

constexpr double kBitsPerByte = 8.0;

double peakOf(const Device& device, const Runtime& runtime) {
    if (runtime.peakCompute.isSet())
        return runtime.peakCompute.value;
    return runtime.activationBits.value <= 8.0 ? device.peakInt8.value : device.peakFp16.value;
}

} // namespace

Machine::Machine(const Device& device, const Runtime& run, const Collective& network)
    : runtime(&run), peakFlops(peakOf(device, run)), peakBandwidth(device.memoryBandwidth.value),
      channels(device.memoryChannels.value), clock(device.clock.value),
      l2Capacity(device.l2Capacity.valueOr(0.0)),
      l2Bandwidth(device.l2Bandwidth.valueOr(std::numeric_limits<double>::infinity())), collective(network),
      weightBytes(run.weightBits.value / kBitsPerByte),
      activationBytes(run.activationBits.value / kBitsPerByte), kvBytes(run.kvBits.value / kBitsPerByte) {}

double Machine::computeEfficiency(Phase phase) const {
    const auto& timing = runtime->timing(phase);
    return timing.kind->computeShare(timing.settings);
}

double Machine::memoryEfficiency(Phase phase) const {
    const auto& timing = runtime->timing(phase);
    return timing.kind->memoryShare(timing.settings);
}

double Machine::collectiveSeconds(const Operator& op) const {
    return op.kind == OperatorKind::AllReduce ? collective.allReduceSeconds(op.payload * activationBytes)
                                              : 0.0;
}

Affine Machine::bytes(const Operator& op) const {
    return Affine{op.weights * weightBytes + op.vectorWeights * activationBytes, 0} +
           op.activations * activationBytes + op.kv * kvBytes;
}

Affine Machine::bytes(const OperatorGraph& graph) const {
    return Affine{graph.weights() * weightBytes + graph.vectorWeights() * activationBytes, 0} +
           graph.activations() * activationBytes + graph.kv() * kvBytes;
}

} // namespace heteroscape::engine
