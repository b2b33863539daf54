// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/operator_graph.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heteroscape::engine {

Shard::Shard(const Model& model, double count)
    : devices(count), heads(std::max(1.0, std::ceil(model.heads.value / count))),
      kvHeads(std::max(1.0, std::floor(model.kvHeads.value / count))), ffn(model.ffn.value / count),
      vocab(model.vocab.value / count) {}

double Shard::parameters(const Model& model) const {
    const double hidden = model.hidden.value;
    const double dim = model.headDim.value;
    const double experts = model.experts.valueOr(1.0);
    const double attention = 2.0 * hidden * (heads + kvHeads) * dim;
    const double router = model.isMixture() ? experts * hidden : 0.0;
    const double matrices = model.ffnMatrices.valueOr(3.0);
    const double layer = attention + matrices * hidden * ffn * experts + router + 2.0 * hidden;
    const double outside = model.embeddings.valueOr(2.0) * vocab + model.positions.valueOr(0.0);
    return model.layers.value * layer + hidden + hidden * outside;
}

double Shard::kvElementsPerToken(const Model& model) const {
    return 2.0 * model.layers.value * kvHeads * model.headDim.value;
}

std::string_view segmentName(Segment segment) {
    constexpr std::array<std::string_view, 3> names{"attention", "ffn", "head"};
    return names[static_cast<std::size_t>(segment)];
}

double StepShape::rows() const {
    if (sequences.empty())
        return batch / (layout.dp * layout.microbatches) * queryTokens;
    double rows = 0.0;
    for (const auto& one : sequences)
        rows += one.count * one.queryTokens;
    return rows;
}

double StepShape::logits() const {
    double rows = 0.0;
    for (const auto& one : sequences)
        rows += one.count * one.logits;
    return rows;
}

OperatorGraph::OperatorGraph(const Model& model, const StepShape& shape)
    : m_model(&model), m_shape(shape), m_shard(model, shape.devices) {
    if (!model.isUniform()) {
        buildLayered();
        return;
    }
    switch (shape.style) {
    case OperatorStyle::Eager:
        buildEager();
        break;
    case OperatorStyle::Fused:
        buildFused();
        break;
    case OperatorStyle::Matrices:
        buildMatrices();
        break;
    }
}

OperatorGraph::OperatorGraph(const OperatorGraph& whole, std::size_t first, std::size_t count)
    : m_model(whole.m_model), m_shape(whole.m_shape), m_shard(whole.m_shard) {
    for (const auto& source : whole.operators().subspan(first, count)) {
        auto& op = add(source);
        op.repeat = 1.0;
        op.inputs = {};
        source.inputs.forEach([&](std::size_t i) {
            if (i >= first)
                op.inputs.insert(i - first);
        });
    }
}

void OperatorGraph::setMaxTokens(double tokens) {
    assert(m_model->isUniform());
    m_shape.maxTokens = tokens;
    for (auto& op : operators())
        if (op.kvAllocated != 0.0)
            op.kvAllocated = allocatedElements();
}

Operator& OperatorGraph::add(const Operator& op) {
    assert(m_operators.size() < kCapacity);
    return m_operators.add(op);
}

Operator& OperatorGraph::add(OperatorKind kind, std::string_view key, std::string_view label, Segment segment,
                             double repeat, OperatorSet inputs) {
    static const Operator blank; // copied once, not made anew and then copied
    auto& op = add(blank);
    op.kind = kind;
    op.key = key;
    op.label = label;
    op.segment = segment;
    op.repeat = repeat;
    op.inputs = inputs;
    return op;
}

void OperatorGraph::addLinear(std::string_view key, std::string_view label, Segment segment, double repeat,
                              OperatorSet inputs, Gemm gemm) {
    auto& op = add(OperatorKind::Linear, key, label, segment, repeat, inputs);
    op.flops.constant = 2.0 * gemm.rows * gemm.inner * gemm.columns;
    op.weights = gemm.experts * gemm.inner * gemm.columns;
    op.activations.constant = gemm.rows * (gemm.inner + gemm.columns);
    op.gemm = gemm;
}

Operator& OperatorGraph::addActivation(double repeat, OperatorSet inputs, const Gemm& wide) {
    const bool gated = m_model->isGated();
    OperatorSet joined;
    if (gated) {
        addLinear("gate_proj", "FFN gate", Segment::Ffn, repeat, inputs, wide);
        joined.insert(last());
    }
    addLinear("up_proj", "FFN up", Segment::Ffn, repeat, inputs, wide);
    joined.insert(last());
    auto& op =
        gated ? add(OperatorKind::Activation, "silu_mul", "SiLU and multiply", Segment::Ffn, repeat, joined)
              : add(OperatorKind::Activation, "activation", "Activation", Segment::Ffn, repeat, joined);
    op.activations.constant = (gated ? 3.0 : 2.0) * wide.rows * wide.columns;
    return op;
}

OperatorSet OperatorGraph::addAllReduce(std::string_view key, std::string_view label, Segment segment,
                                        double repeat, OperatorSet inputs, double rows) {
    if (m_shape.devices <= 1.0)
        return inputs; // nothing to sum up
    add(OperatorKind::AllReduce, key, label, segment, repeat, inputs).payload = rows * m_model->hidden.value;
    return {last()};
}

double OperatorGraph::headRows() const {
    if (!m_shape.sequences.empty())
        return m_shape.logits();
    return m_shape.phase == Phase::Decode ? rows() : m_shape.batch;
}

OperatorGraph::Attended OperatorGraph::attended() const {
    if (m_shape.sequences.empty())
        return {{0.0, rows()}, {0.0, m_shape.batch}};
    Attended sums;
    for (const auto& one : m_shape.sequences) {
        sums.queries.constant += one.count * one.queryTokens * one.keys();
        sums.requests.constant += one.count * one.keys();
    }
    return sums;
}

OperatorSums OperatorGraph::sums() const {
    OperatorSums sums;
    for (const auto& op : operators()) {
        sums.flops += op.flops * op.repeat;
        sums.weights += op.storedWeights() * op.repeat;
        sums.vectorWeights += op.vectorWeights * op.repeat;
        sums.activations += op.activations * op.repeat;
        sums.kv += op.kv * op.repeat;
    }
    return sums;
}

} // namespace heteroscape::engine
