// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

LayerStep LayerStep::partOf(const StepSequences& one) const {
    auto part = *this;
    part.sequences = {};
    part.placed = true;
    part.phase = one.decodes ? Phase::Decode : Phase::Prefill;
    part.requests = one.count;
    part.queryTokens = one.queryTokens;
    part.pastTokens = one.pastTokens;
    part.cp = one.decodes ? 1.0 : cp; // its ranks would all do the same attention
    part.rows = one.count * one.queryTokens / part.cp;
    part.context = one.keys();
    return part;
}

Affine LayerStep::pairs(double limit) const {
    const double q = queryTokens;
    if (decodes())
        return context < limit ? Affine{0.0, requests * q} : Affine{requests * q * limit, 0.0};
    const double p = pastTokens;
    const double whole = std::clamp(limit - p, 0.0, q); // queries that see every key before them
    double keys = whole * p + whole * (whole + 1.0) / 2.0;
    if (whole < q)
        keys += (q - whole) * limit;
    return {requests * keys / cp, 0.0};
}

Affine LayerStep::cachedTokens(double limit) const {
    const double guesses = queryTokens - 1.0;
    return context < limit + guesses ? Affine{0.0, 1.0} : Affine{limit + guesses, 0.0};
}

void LayerWriter::openBlock(Segment segment, double repeat, const LayerGroup* group) {
    m_segment = segment;
    m_repeat = repeat;
    m_group = group;
    ++m_block;
}

Operator& LayerWriter::add(OperatorKind kind, std::string_view key, std::string_view label,
                           OperatorSet inputs) {
    static const Operator blank; // copied once, not made anew and then copied
    auto& op = m_graph.add(blank);
    op.kind = kind;
    op.key = key;
    op.label = label;
    op.repeat = m_repeat;
    op.inputs = inputs;
    op.segment = m_segment;
    op.block = m_block;
    op.group = m_group;
    return op;
}

void LayerWriter::store(Operator& op, ModelPart part) const {
    op.part = part;
    if (const auto* recipe = m_graph.model().weights)
        op.weightScale = recipe->of(part).bytes / m_graph.shape().weightBytes;
}

std::size_t LayerWriter::linear(ModelPart part, std::string_view key, std::string_view label,
                                OperatorSet inputs, double rows, double inner, double columns) {
    auto& op = add(OperatorKind::Linear, key, label, inputs);
    op.flops.constant = 2.0 * rows * inner * columns;
    op.weights = inner * columns;
    op.activations.constant = rows * (inner + columns);
    op.gemm = {rows, inner, columns, 1.0};
    store(op, part);
    return last();
}

std::size_t LayerWriter::elementwise(OperatorKind kind, std::string_view key, std::string_view label,
                                     OperatorSet inputs, double flops, double activations) {
    auto& op = add(kind, key, label, inputs);
    op.flops.constant = flops;
    op.activations.constant = activations;
    return last();
}

std::size_t LayerWriter::norm(std::string_view key, std::string_view label, OperatorSet inputs) {
    const double elements = m_step.rows * m_step.hidden;
    return elementwise(OperatorKind::Norm, key, label, inputs, 8.0 * elements, 4.0 * elements);
}

OperatorSet LayerWriter::collective(OperatorKind kind, std::string_view key, std::string_view label,
                                    OperatorSet inputs, double ranks, double payload) {
    if (ranks <= 1.0)
        return inputs;
    auto& op = add(kind, key, label, inputs);
    op.ranks = ranks;
    op.payload = payload;
    if (kind == OperatorKind::AllToAll && !m_step.decodes())
        op.chosen = m_graph.model().expertsPerToken.value;
    return {last()};
}

Registry<AttentionKind>& attentionKinds() {
    static Registry<AttentionKind> registry("kind of attention",
                                            {&groupedQueryAttention(), &latentAttention(), &gatedDeltaRule(),
                                             &recurrentLayer(), &sparseAttention(), &noAttention()});
    return registry;
}

} // namespace heteroscape::engine
