// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"
#include "engine/operators/affine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heteroscape::engine {

enum class OperatorKind {
    Norm,
    Linear,
    Rope,
    Positions,
    CacheAppend,
    Scores,
    Softmax,
    WeightedValues,
    Residual,
    Activation
};

/// One operator of a step: all requests of the batch, one layer. Counts are exact and free of precision;
/// bytes follow from elements once a runtime is known.
struct Operator {
    OperatorKind kind = OperatorKind::Linear;
    std::string_view key;       ///< "gate_proj"
    std::string_view label;     ///< "FFN gate"
    double repeat = 1.0;        ///< layers it stands in, or 1
    Affine flops;               ///< FLOP
    double weights = 0.0;       ///< matrix elements read
    double vectorWeights = 0.0; ///< weight elements kept at activation precision (norm gains)
    Affine activations;         ///< elements read and written
    Affine kv;                  ///< KV cache elements read and written
    double loadsPerFetch = 1.0; ///< compute instructions served by one load (set by load merging)
    std::array<std::int8_t, 2> inputs{-1, -1}; ///< indices of the operators it waits for, -1: none
};

/// One step of a model: `queryTokens` new tokens for each of `batch` requests, attending to t keys each;
/// everything affine in t. Fixed capacity, so building one does not allocate.
///
/// Operators, FLOPs and elements: Hugging Face eager mode as in GLITCHES Table I (section 2 of the paper's
/// accounting: linears, rope, KV concatenation that writes the whole cache, attention in full without the
/// causal half, fused silu*mul, norms, residuals; final norm and lm_head for the last token of each request;
/// embedding left out). Grouped-query attention: K and V have kv_heads x head_dim elements a token; Q has
/// heads x head_dim.
class OperatorGraph {
public:
    static constexpr std::size_t kCapacity = 24;

    OperatorGraph(const Model& model, double queryTokens, double batch);

    std::span<const Operator> operators() const { return {m_operators.data(), m_size}; }
    std::span<Operator> operators() { return {m_operators.data(), m_size}; }

    double queryTokens() const { return m_queryTokens; }
    double batch() const { return m_batch; }
    const Model& model() const { return *m_model; }

    Affine flops() const;   ///< of the step
    double weights() const; ///< matrix elements of the step
    double vectorWeights() const;
    Affine activations() const;
    Affine kv() const;

private:
    const Model* m_model; ///< outlives the graph
    double m_queryTokens;
    double m_batch;
    std::size_t m_size = 0;
    std::array<Operator, kCapacity> m_operators;

    std::int8_t add(const Operator& op);
};

} // namespace heteroscape::engine
