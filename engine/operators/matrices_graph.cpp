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
    attend.flops.perKey = 4.0 * n * q;
    attend.scoreFlops = 4.0 * model.headDim.value;
    if (m_shape.phase == Phase::Decode) {
        attend.kv.perKey = 2.0 * m_shape.batch * k;
        attend.kvAllocated = allocatedElements();
    }
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

} // namespace heteroscape::engine
