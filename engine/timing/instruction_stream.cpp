// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/instruction_stream.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

bool readsCache(const Operator& op) {
    return op.kind == OperatorKind::Scores || op.kind == OperatorKind::WeightedValues;
}

} // namespace

InstructionStream::InstructionStream(const OperatorGraph& graph, const Machine& machine)
    : m_graph(graph), m_machine(machine), m_issue(machine.runtime->loadIssueCycles.value / machine.clock),
      m_tileCompute(machine.runtime->tileComputeCycles.value / machine.clock * graph.shape().batch *
                    graph.shape().queryTokens),
      m_bandwidth(machine.peakBandwidth / machine.channels * machine.memoryEfficiency(Phase::Decode)),
      m_tile(machine.runtime->tileBytes.value), m_meta(machine.runtime->tileMetadataBytes.value) {}

double InstructionStream::loadSeconds(double bytes) const {
    return m_issue + bytes / m_bandwidth;
}

double InstructionStream::loadUtilisation(const Machine& machine, double bytes) {
    const double channel = machine.peakBandwidth / machine.channels;
    const double issue = machine.runtime->loadIssueCycles.value / machine.clock;
    return bytes / (issue + bytes / (channel * machine.memoryEfficiency(Phase::Decode))) / channel;
}

double InstructionStream::tilesOf(const Operator& op) const {
    return op.weights * m_machine.weightBytes / m_tile / m_machine.channels;
}

double InstructionStream::linearSeconds(double tiles, double ratio) const {
    const auto fetch = [&](double group) {
        return loadSeconds(m_tile * group) + loadSeconds(m_meta * group);
    };
    // The recurrence in closed form: k full groups with load time l and compute time c settle at once into
    // steps of max(l, c), because a buffer is free again before the load after next needs it.
    const double full = std::floor(tiles / ratio);
    const double rest = tiles - full * ratio;
    const double l = fetch(ratio);
    const double c = ratio * m_tileCompute;
    double loadEnd = 0.0;
    double mvEnd = 0.0;
    double mvEndBefore = 0.0; // of the group before the last
    if (full >= 1) {
        mvEnd = l + c + (full - 1) * std::max(l, c);
        if (full >= 2)
            mvEndBefore = mvEnd - std::max(l, c);
        // Load-bound: loads follow each other. Compute-bound: the load waits for the buffer used two groups
        // ago.
        loadEnd = l * full;
        if (full >= 3)
            loadEnd = std::max(loadEnd, 2 * l + (full - 2) * c);
    }
    if (rest > 0) {
        loadEnd = std::max(loadEnd, mvEndBefore) + fetch(rest);
        mvEnd = std::max(mvEnd, loadEnd) + rest * m_tileCompute;
    }
    return mvEnd;
}

Affine InstructionStream::kvSeconds(const Operator& op) const {
    const double loadsPerElement = m_machine.kvBytes / m_machine.channels / m_tile;
    return op.kv * (op.repeat * loadsPerElement * loadSeconds(m_tile));
}

Affine InstructionStream::softmaxSeconds(const Operator& op) const {
    return op.flops * (op.repeat / (m_machine.runtime->softmaxPerCycle.value * m_machine.clock));
}

double InstructionStream::seconds(const Operator& op, double keys) const {
    if (op.kind == OperatorKind::Linear)
        return op.repeat * linearSeconds(tilesOf(op), op.loadsPerFetch);
    if (readsCache(op))
        return kvSeconds(op).at(keys);
    if (op.kind == OperatorKind::Softmax)
        return softmaxSeconds(op).at(keys);
    return 0.0;
}

Bound InstructionStream::bound(const Operator& op) const {
    if (op.kind == OperatorKind::Linear) {
        const double loads = loadSeconds(m_tile * op.loadsPerFetch) + loadSeconds(m_meta * op.loadsPerFetch);
        return loads >= op.loadsPerFetch * m_tileCompute ? Bound::Memory : Bound::Compute;
    }
    if (readsCache(op))
        return Bound::Memory;
    return op.kind == OperatorKind::Softmax ? Bound::Compute : Bound::None;
}

StepCost InstructionStream::cost() const {
    Affine step;
    double memory = 0.0;
    double compute = 0.0;
    for (const auto& op : m_graph.operators()) {
        Affine part;
        if (op.kind == OperatorKind::Linear)
            part.constant = seconds(op, 0.0);
        else if (readsCache(op))
            part = kvSeconds(op);
        else if (op.kind == OperatorKind::Softmax)
            part = softmaxSeconds(op);
        step += part;
        (bound(op) == Bound::Compute ? compute : memory) += part.at(0.0);
    }
    StepCost cost;
    cost.add(memory >= compute ? Bound::Memory : Bound::Compute, step);
    return cost;
}

Affine InstructionStream::movedBytes() const {
    Affine bytes{m_graph.weights() * m_machine.weightBytes * (1.0 + m_meta / m_tile), 0};
    for (const auto& op : m_graph.operators())
        if (readsCache(op))
            bytes += op.kv * (op.repeat * m_machine.kvBytes);
    return bytes;
}

} // namespace heteroscape::engine
