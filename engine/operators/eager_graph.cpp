// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

void OperatorGraph::addNorm(std::string_view key, std::string_view label, Segment segment, double repeat,
                            OperatorSet inputs) {
    const bool head = segment == Segment::Head;
    const double asked = m_shape.sequences.empty() ? m_shape.batch : m_shape.logits();
    const double elements = (head ? asked : rows()) * m_model->hidden.value;
    auto& op = add(OperatorKind::Norm, key, label, segment, repeat, inputs);
    op.flops.constant = elements;
    op.vectorWeights = m_model->hidden.value;
    op.activations.constant = 2.0 * elements;
}

void OperatorGraph::buildEager() {
    using K = OperatorKind;
    constexpr auto attention = Segment::Attention;
    constexpr auto feedForward = Segment::Ffn;
    const auto& model = *m_model;
    const double layers = model.layers.value;
    const double n = rows(); // of the accounting, all requests
    const auto [queries, requests] = attended();
    const double hidden = model.hidden.value;
    const double q = m_shard.heads * model.headDim.value;
    const double k = m_shard.kvHeads * model.headDim.value;
    const double perToken = model.expertsPerToken.valueOr(1.0);
    const double experts = model.experts.valueOr(1.0);
    const double routed = n * perToken; // rows through the feed-forward networks

    const auto elementwise = [&](OperatorKind kind, std::string_view key, std::string_view label,
                                 Segment segment, OperatorSet inputs, double flops, double elements) {
        auto& op = add(kind, key, label, segment, layers, inputs);
        op.flops.constant = flops;
        op.activations.constant = elements;
        return last();
    };
    const auto append = [&](std::string_view key, std::string_view label, std::size_t from) {
        auto& op = add(K::CacheAppend, key, label, attention, layers, {from});
        op.activations.constant = n * k;
        op.kv = requests * k;
        return last();
    };
    const auto perScore = queries * m_shard.heads; // h n t elements
    const auto attend = [&](OperatorKind kind, std::string_view key, std::string_view label,
                            OperatorSet inputs) {
        auto& op = add(kind, key, label, attention, layers, inputs);
        op.flops = queries * (2.0 * q);
        op.activations = Affine{n * q, 0.0} + perScore;
        op.kv = requests * k;
        return last();
    };

    const double turned = model.rotaryShare(); // of the elements of Q and K
    const bool rotary = turned > 0.0;
    std::size_t positions = 0;
    if (rotary)
        positions = elementwise(K::Positions, "positions", "Rotary positions", attention, {}, 0.0,
                                2.0 * (m_shape.sequences.empty() ? m_shape.queryTokens : n) *
                                    model.headDim.value * turned);
    const auto rope = [&](std::string_view key, std::string_view label, std::size_t from, double width) {
        return rotary ? elementwise(K::Rope, key, label, attention, {from, positions},
                                    3.0 * n * width * turned, 2.0 * n * width * turned)
                      : from;
    };
    addNorm("input_norm", "Attention norm", attention, layers, {});
    const auto norm1 = last();
    addLinear("q_proj", "Q projection", attention, layers, {norm1}, {n, hidden, q});
    const auto qProj = last();
    addLinear("k_proj", "K projection", attention, layers, {norm1}, {n, hidden, k});
    const auto kProj = last();
    addLinear("v_proj", "V projection", attention, layers, {norm1}, {n, hidden, k});
    const auto vProj = last();
    const auto qRope = rope("q_rope", "Rotary embedding of Q", qProj, q);
    const auto kRope = rope("k_rope", "Rotary embedding of K", kProj, k);
    const auto kCache = append("k_cache", "Append to K cache", kRope);
    const auto vCache = append("v_cache", "Append to V cache", vProj);
    const auto scores = attend(K::Scores, "scores", "Attention scores", {qRope, kCache});
    auto& softmax = add(K::Softmax, "softmax", "Softmax", attention, layers, {scores});
    softmax.flops = perScore;
    softmax.activations = perScore * 2.0;
    const auto values = attend(K::WeightedValues, "values", "Attention values", {last(), vCache});
    addLinear("o_proj", "Output projection", attention, layers, {values}, {n, q, hidden});
    const auto reduced =
        addAllReduce("attention_allreduce", "Attention allreduce", attention, layers, {last()}, n);
    elementwise(K::Residual, "attention_residual", "Attention residual", attention, reduced, n * hidden,
                3.0 * n * hidden);

    addNorm("ffn_norm", "FFN norm", feedForward, layers, {last()});
    const auto norm2 = last();
    const Gemm wide{routed, hidden, m_shard.ffn, experts};
    addActivation(layers, {norm2}, wide).flops.constant =
        (model.isGated() ? 2.0 : 1.0) * routed * m_shard.ffn;
    const auto act = last();
    addLinear("down_proj", "FFN down", feedForward, layers, {act}, {routed, m_shard.ffn, hidden, experts});
    const auto summed = addAllReduce("ffn_allreduce", "FFN allreduce", feedForward, layers, {last()}, n);
    elementwise(K::Residual, "ffn_residual", "FFN residual", feedForward, summed, n * hidden,
                3.0 * n * hidden);

    if (!(headRows() > 0.0))
        return;
    addNorm("final_norm", "Final norm", Segment::Head, 1.0, {last()});
    addLinear("lm_head", "LM head", Segment::Head, 1.0, {last()}, {headRows(), hidden, m_shard.vocab});
}

} // namespace heteroscape::engine
