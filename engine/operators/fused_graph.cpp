// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

void OperatorGraph::buildMatrices() {
    const auto& model = *m_model;
    const double layers = model.layers.value;
    const double n = rows();
    const double hidden = model.hidden.value;
    const double q = m_shard.heads * model.headDim.value;
    const double k = m_shard.kvHeads * model.headDim.value;
    const double routed = n * model.expertsPerToken.valueOr(1.0);
    const Gemm wide{routed, hidden, m_shard.ffn, model.experts.valueOr(1.0)};
    const auto linear = [&](std::string_view key, std::string_view label, Segment segment, OperatorSet inputs,
                            Gemm gemm) {
        addLinear(key, label, segment, layers, inputs, gemm);
        m_operators[last()].activations = {};
        return last();
    };

    const auto qProj = linear("q_proj", "Q projection", Segment::Attention, {}, {n, hidden, q});
    const auto kProj = linear("k_proj", "K projection", Segment::Attention, {}, {n, hidden, k});
    const auto vProj = linear("v_proj", "V projection", Segment::Attention, {}, {n, hidden, k});
    auto& attend = add(OperatorKind::Attention, "attention", "Attention", Segment::Attention, layers,
                       {qProj, kProj, vProj});
    attend.flops = attended().queries * (4.0 * q);
    attend.scoreFlops = 4.0 * model.headDim.value;
    if (m_shape.phase == Phase::Decode) {
        attend.kv.perKey = 2.0 * m_shape.batch * k;
        attend.kvAllocated = allocatedElements();
    }
    for (const auto& one : m_shape.sequences)
        if (one.decodes)
            attend.kv.constant += 2.0 * one.count * one.keys() * k;
    linear("o_proj", "Output projection", Segment::Attention, {last()}, {n, q, hidden});
    auto inputs =
        addAllReduce("attention_allreduce", "Attention allreduce", Segment::Attention, layers, {last()}, n);
    OperatorSet joined;
    if (model.isGated())
        joined.insert(linear("gate_proj", "FFN gate", Segment::Ffn, inputs, wide));
    joined.insert(linear("up_proj", "FFN up", Segment::Ffn, inputs, wide));
    linear("down_proj", "FFN down", Segment::Ffn, joined,
           {routed, m_shard.ffn, hidden, model.experts.valueOr(1.0)});
    addAllReduce("ffn_allreduce", "FFN allreduce", Segment::Ffn, layers, {last()}, n);
}

void OperatorGraph::buildFused() {
    using K = OperatorKind;
    constexpr auto attention = Segment::Attention;
    constexpr auto feedForward = Segment::Ffn;
    const auto& model = *m_model;
    const double layers = model.layers.value;
    const double m = rows();
    const double batch = m_shape.batch;
    const double asked = headRows();
    const double hidden = model.hidden.value;
    const double q = m_shard.heads * model.headDim.value;
    const double k = m_shard.kvHeads * model.headDim.value;
    const double routed = m * model.expertsPerToken.valueOr(1.0);
    const double experts = model.experts.valueOr(1.0);

    // A norm takes the residual too: twice the rows in, and out again; the last one only hands on.
    const auto fusedNorm = [&](std::string_view key, std::string_view label, Segment segment, double repeat,
                               OperatorSet inputs) {
        const bool final = segment == Segment::Head;
        add(K::Norm, key, label, segment, repeat, inputs).activations.constant =
            final ? 3.0 * asked * hidden : 4.0 * m * hidden;
        return last();
    };

    auto reduced = addAllReduce("attention_allreduce", "Attention allreduce", attention, layers, {}, m);
    const auto norm1 = fusedNorm("input_norm", "Attention norm", attention, layers, reduced);
    addLinear("q_proj", "Q projection", attention, layers, {norm1}, {m, hidden, q});
    const auto qProj = last();
    addLinear("k_proj", "K projection", attention, layers, {norm1}, {m, hidden, k});
    const auto kProj = last();
    addLinear("v_proj", "V projection", attention, layers, {norm1}, {m, hidden, k});
    auto& attend = add(K::Attention, "attention", "Attention", attention, layers, {qProj, kProj, last()});
    attend.activations.constant = m * (2.0 * q + 2.0 * k);
    attend.scoreFlops = 4.0 * model.headDim.value;
    if (m_shape.phase == Phase::Decode) {
        attend.flops.perKey = 4.0 * m * q;
        attend.kv.perKey = 2.0 * batch * k;
        attend.kvAllocated = allocatedElements();
    } else {
        const StepSequences alike{batch, m_shape.queryTokens, m_shape.pastTokens};
        for (const auto& one : m_shape.sequences.empty() ? std::span(&alike, 1) : m_shape.sequences) {
            const double past = one.pastTokens;
            const double tokens = one.queryTokens;
            attend.flops.constant += one.decodes ? 4.0 * one.count * tokens * one.keys() * q
                                                 : 2.0 * one.count * tokens * (tokens + 2.0 * past) * q;
            attend.kv.constant += 2.0 * one.count * (one.decodes ? one.keys() : past) * k;
        }
    }
    addLinear("o_proj", "Output projection", attention, layers, {last()}, {m, q, hidden});

    reduced = addAllReduce("ffn_allreduce", "FFN allreduce", feedForward, layers, {last()}, m);
    const auto norm2 = fusedNorm("ffn_norm", "FFN norm", feedForward, layers, reduced);
    const Gemm wide{routed, hidden, m_shard.ffn, experts};
    addActivation(layers, {norm2}, wide);
    addLinear("down_proj", "FFN down", feedForward, layers, {last()}, {routed, m_shard.ffn, hidden, experts});

    if (!(asked > 0.0))
        return;
    reduced = addAllReduce("head_allreduce", "Head allreduce", Segment::Head, 1.0, {last()}, asked);
    const auto norm3 = fusedNorm("final_norm", "Final norm", Segment::Head, 1.0, reduced);
    addLinear("lm_head", "LM head", Segment::Head, 1.0, {norm3}, {asked, hidden, m_shard.vocab});
}

} // namespace heteroscape::engine
