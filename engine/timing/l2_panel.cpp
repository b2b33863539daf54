// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/l2_panel.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kLeastPanel = 16.0; // rows or columns of one tile of a matrix unit

Tangent tangentOf(const Affine& line, double context) {
    return {line.at(context), line.perKey};
}

} // namespace

L2Panel::L2Panel(const Machine& machine, Phase phase)
    : m_machine(machine), m_phase(phase), m_flops(machine.peakFlops * machine.computeEfficiency(phase)),
      m_bandwidth(machine.peakBandwidth * machine.memoryEfficiency(phase)) {}

Tangent L2Panel::Cost::seconds(double context) const {
    return max(max(tangentOf(compute, context), tangentOf(memory, context)), tangentOf(l2, context));
}

Bound L2Panel::Cost::bound(double context) const {
    const double most = seconds(context).value;
    if (most <= 0.0)
        return Bound::None;
    return memory.at(context) >= most    ? Bound::Memory
           : compute.at(context) >= most ? Bound::Compute
                                         : Bound::L2;
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
    return Affine{op.storedWeights() * m_machine.weightBytes + op.vectorWeights * m_machine.activationBytes,
                  0.0} +
           op.kv * m_machine.kvBytes;
}

Affine L2Panel::spilledBytes(const Operator& op) const {
    Affine bytes;
    if (op.kind == OperatorKind::Linear) {
        const auto& gemm = op.gemm;
        const double element = std::max(op.weightScale * m_machine.weightBytes, m_machine.activationBytes);
        const double panel =
            std::max(kLeastPanel, std::floor(m_machine.l2Capacity / 2.0 / (gemm.inner * element)));
        const double weightsAgain =
            op.storedWeights() * m_machine.weightBytes * (std::ceil(gemm.rows / gemm.experts / panel) - 1.0);
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

Term L2Panel::explainRead(const Operator& op, double context) const {
    return (Term::counted("Operands", readBytes(op).at(context), measures::megabytes, "operator table") /
            m_machine.explainByteRate(m_phase))
        .named("Read of " + std::string(op.label), measures::microseconds);
}

Term L2Panel::explain(const Operator& op, double context) const {
    const auto counted = [&](const char* name, double value, Measure measure) {
        return Numbers<Term>::counted(name, value, measure, "operator table");
    };
    const auto moved = [&](const char* name, const Term& operands, const Term& activations) {
        return (operands + activations).named(name, measures::megabytes);
    };
    const auto time = [](const char* name, const Term& amount, const Term& rate) {
        return (amount / rate).named(name, measures::microseconds);
    };
    const auto operands = counted("Operands", readBytes(op).at(context), measures::megabytes);
    const auto bytes = traffic(op);
    const auto spilled =
        Numbers<Term>::counted("Read again, or too large for L2", spilledBytes(op).at(context),
                               measures::megabytes, "tiling of the product (L2 panels)");
    const auto kept = counted("Activations in L2", l2Activations(op).at(context), measures::megabytes);
    const auto l2 = moved("Bytes of L2", op.prefetched ? operands : Term(), kept);
    const auto memory = moved("Bytes of memory", op.prefetched ? Term() : operands, spilled);
    std::vector<Term> roofs{time("Compute time", counted("Compute", op.flops.at(context), measures::flops),
                                 m_machine.explainFlopRate(m_phase)),
                            time("Memory time", memory, m_machine.explainByteRate(m_phase))};
    if (bytes.l2.at(context) > 0.0 && m_machine.device->l2Bandwidth.isSet())
        roofs.push_back(time("L2 time", l2,
                             Numbers<Term>::quantity(deviceFields, *m_machine.device, &Device::l2Bandwidth)));
    return maximum(std::string(op.label), measures::microseconds, roofs);
}

} // namespace heteroscape::engine
