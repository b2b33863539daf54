// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

namespace {

template <class T, class Get>
T sumOver(std::span<const Operator> operators, Get get) {
    T total{};
    for (const auto& op : operators)
        total += get(op) * op.repeat;
    return total;
}

} // namespace

std::int8_t OperatorGraph::add(const Operator& op) {
    m_operators[m_size] = op;
    return static_cast<std::int8_t>(m_size++);
}

OperatorGraph::OperatorGraph(const Model& model, double queryTokens, double batch)
    : m_model(&model), m_queryTokens(queryTokens), m_batch(batch) {
    using Kind = OperatorKind;
    const double layers = model.layers.value;
    const double rows = queryTokens * batch; // n of the accounting, all requests
    const double d = model.hidden.value;
    const double q = model.queryWidth();
    const double k = model.kvWidth();
    const double ffn = model.ffn.value;
    const double heads = model.heads.value;
    const double vocab = model.vocab.value;

    const auto norm = [&](std::string_view key, std::string_view label, double repeat, double r,
                          std::int8_t in) {
        return add({Kind::Norm, key, label, repeat, {r * d, 0}, 0, d, {2 * r * d, 0}, {}, 1, {in, -1}});
    };
    const auto linear = [&](std::string_view key, std::string_view label, double in, double out,
                            double repeat, double r, std::int8_t from) {
        return add({Kind::Linear,
                    key,
                    label,
                    repeat,
                    {2 * r * in * out, 0},
                    in * out,
                    0,
                    {r * (in + out), 0},
                    {},
                    1,
                    {from, -1}});
    };
    const auto rope = [&](std::string_view key, std::string_view label, double width, std::int8_t a,
                          std::int8_t b) {
        return add({Kind::Rope,
                    key,
                    label,
                    layers,
                    {3 * rows * width, 0},
                    0,
                    0,
                    {2 * rows * width, 0},
                    {},
                    1,
                    {a, b}});
    };
    const auto append = [&](std::string_view key, std::string_view label, std::int8_t in) {
        return add(
            {Kind::CacheAppend, key, label, layers, {}, 0, 0, {rows * k, 0}, {0, batch * k}, 1, {in, -1}});
    };

    const auto positions = add({Kind::Positions,
                                "positions",
                                "Rotary positions",
                                layers,
                                {},
                                0,
                                0,
                                {2 * queryTokens * model.headDim.value, 0},
                                {},
                                1,
                                {-1, -1}});
    const auto norm1 = norm("input_norm", "Attention norm", layers, rows, -1);
    const auto qProj = linear("q_proj", "Q projection", d, q, layers, rows, norm1);
    const auto kProj = linear("k_proj", "K projection", d, k, layers, rows, norm1);
    const auto vProj = linear("v_proj", "V projection", d, k, layers, rows, norm1);
    const auto qRope = rope("q_rope", "Rotary embedding of Q", q, qProj, positions);
    const auto kRope = rope("k_rope", "Rotary embedding of K", k, kProj, positions);
    const auto kCache = append("k_cache", "Append to K cache", kRope);
    const auto vCache = append("v_cache", "Append to V cache", vProj);
    const Affine perScore{0, heads * rows}; // h n t elements
    const auto scores = add({Kind::Scores,
                             "scores",
                             "Attention scores",
                             layers,
                             {0, 2 * rows * q},
                             0,
                             0,
                             Affine{rows * q, 0} + perScore,
                             {0, batch * k},
                             1,
                             {qRope, kCache}});
    const auto softmax =
        add({Kind::Softmax, "softmax", "Softmax", layers, perScore, 0, 0, perScore * 2, {}, 1, {scores, -1}});
    const auto values = add({Kind::WeightedValues,
                             "values",
                             "Attention values",
                             layers,
                             {0, 2 * rows * q},
                             0,
                             0,
                             Affine{rows * q, 0} + perScore,
                             {0, batch * k},
                             1,
                             {softmax, vCache}});
    const auto oProj = linear("o_proj", "Output projection", q, d, layers, rows, values);
    const auto residual = [&](std::string_view key, std::string_view label, std::int8_t in) {
        return add(
            {Kind::Residual, key, label, layers, {rows * d, 0}, 0, 0, {3 * rows * d, 0}, {}, 1, {in, -1}});
    };
    const auto residual1 = residual("attention_residual", "Attention residual", oProj);
    const auto norm2 = norm("ffn_norm", "FFN norm", layers, rows, residual1);
    const auto gate = linear("gate_proj", "FFN gate", d, ffn, layers, rows, norm2);
    const auto up = linear("up_proj", "FFN up", d, ffn, layers, rows, norm2);
    const auto act = add({Kind::Activation,
                          "silu_mul",
                          "SiLU and multiply",
                          layers,
                          {2 * rows * ffn, 0},
                          0,
                          0,
                          {3 * rows * ffn, 0},
                          {},
                          1,
                          {gate, up}});
    const auto down = linear("down_proj", "FFN down", ffn, d, layers, rows, act);
    const auto residual2 = residual("ffn_residual", "FFN residual", down);
    const auto finalNorm = norm("final_norm", "Final norm", 1, batch, residual2);
    linear("lm_head", "LM head", d, vocab, 1, batch, finalNorm);
}

Affine OperatorGraph::flops() const {
    return sumOver<Affine>(operators(), [](const Operator& op) { return op.flops; });
}
double OperatorGraph::weights() const {
    return sumOver<double>(operators(), [](const Operator& op) { return op.weights; });
}
double OperatorGraph::vectorWeights() const {
    return sumOver<double>(operators(), [](const Operator& op) { return op.vectorWeights; });
}
Affine OperatorGraph::activations() const {
    return sumOver<Affine>(operators(), [](const Operator& op) { return op.activations; });
}
Affine OperatorGraph::kv() const {
    return sumOver<Affine>(operators(), [](const Operator& op) { return op.kv; });
}

} // namespace heteroscape::engine
