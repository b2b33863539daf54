// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/l2_panel.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kLeastPanel = 16.0; // rows or columns of one tile of a matrix unit

Tangent tangentOf(const Affine& line, double keys) {
    return {line.at(keys), line.perKey};
}

} // namespace

L2Panel::L2Panel(const Machine& machine, Phase phase)
    : m_machine(machine), m_flops(machine.peakFlops * machine.computeEfficiency(phase)),
      m_bandwidth(machine.peakBandwidth * machine.memoryEfficiency(phase)) {}

Tangent L2Panel::Cost::seconds(double keys) const {
    return max(max(tangentOf(compute, keys), tangentOf(memory, keys)), tangentOf(l2, keys));
}

Bound L2Panel::Cost::bound(double keys) const {
    const double most = seconds(keys).value;
    if (most <= 0.0)
        return Bound::None;
    return memory.at(keys) >= most ? Bound::Memory : compute.at(keys) >= most ? Bound::Compute : Bound::L2;
}

L2Panel::Traffic L2Panel::traffic(const Operator& op) const {
    Traffic traffic{spilledBytes(op), l2Activations(op)};
    (op.prefetched ? traffic.l2 : traffic.memory) += readBytes(op);
    return traffic;
}

L2Panel::Cost L2Panel::cost(const Operator& op) const {
    const auto bytes = traffic(op);
    return {op.flops * (1.0 / m_flops), bytes.memory * (1.0 / m_bandwidth),
            bytes.l2 * (1.0 / m_machine.l2Bandwidth)};
}

Affine L2Panel::readBytes(const Operator& op) const {
    return Affine{op.weights * m_machine.weightBytes + op.vectorWeights * m_machine.activationBytes, 0.0} +
           op.kv * m_machine.kvBytes;
}

Affine L2Panel::spilledBytes(const Operator& op) const {
    Affine bytes;
    if (op.kind == OperatorKind::Linear) {
        const auto& gemm = op.gemm;
        const double element = std::max(m_machine.weightBytes, m_machine.activationBytes);
        const double panel =
            std::max(kLeastPanel, std::floor(m_machine.l2Capacity / 2.0 / (gemm.inner * element)));
        const double weightsAgain =
            op.weights * m_machine.weightBytes * (std::ceil(gemm.rows / gemm.experts / panel) - 1.0);
        const double inputsAgain =
            gemm.rows * gemm.inner * m_machine.activationBytes * (std::ceil(gemm.columns / panel) - 1.0);
        bytes.constant = std::min(weightsAgain, inputsAgain);
    }
    const auto activations = op.activations * m_machine.activationBytes;
    if (activations.constant > m_machine.l2Capacity)
        bytes += activations;
    return bytes;
}

Affine L2Panel::l2Activations(const Operator& op) const {
    const auto activations = op.activations * m_machine.activationBytes;
    return activations.constant > m_machine.l2Capacity ? Affine{} : activations;
}

} // namespace heteroscape::engine
