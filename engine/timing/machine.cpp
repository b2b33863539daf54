// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/machine.h"

namespace heteroscape::engine {

namespace {

constexpr double kBitsPerByte = 8.0;

double peakOf(const Device& device, const Runtime& runtime) {
    if (runtime.peakCompute.isSet())
        return runtime.peakCompute.value;
    return runtime.activationBits.value <= 8.0 ? device.peakInt8.value : device.peakFp16.value;
}

} // namespace

Machine::Machine(const Device& device, const Runtime& run)
    : runtime(&run), peakFlops(peakOf(device, run)), peakBandwidth(device.memoryBandwidth.value),
      channels(device.memoryChannels.value), clock(device.clock.value),
      weightBytes(run.weightBits.value / kBitsPerByte),
      activationBytes(run.activationBits.value / kBitsPerByte), kvBytes(run.kvBits.value / kBitsPerByte) {}

double Machine::computeEfficiency(Phase phase) const {
    return phase == Phase::Prefill ? runtime->prefillComputeEfficiency.value
                                   : runtime->decodeComputeEfficiency.value;
}

double Machine::memoryEfficiency(Phase phase) const {
    return phase == Phase::Prefill ? runtime->prefillMemoryEfficiency.value
                                   : runtime->decodeMemoryEfficiency.value;
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
