// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/dense_layer.h"

namespace heteroscape::engine {

namespace {

DenseShape shareOf(const DenseShape& whole, double ranks) {
    auto share = whole;
    share.heads = whole.heads / ranks;
    share.kvHeads = ceilDivided(whole.kvHeads, ranks);
    share.width = whole.width / ranks;
    share.vocabulary = ceilDivided(whole.vocabulary, ranks);
    return share;
}

void addUnlessNone(KernelSequence& kernels, std::string_view name, const KernelTime& time) {
    if (time.us > 0.0)
        kernels.add(name, time);
}

} // namespace

double KernelSequence::us() const {
    double sum = 0.0;
    for (const auto& kernel : *this)
        sum += kernel.time.us;
    return sum;
}

DenseLayer::DenseLayer(const KernelCatalog& catalog, const Gpu& gpu, const DenseShape& shape,
                       const DenseServing& serving)
    : m_whole(shape), m_share(shareOf(shape, serving.ranks)),
      m_kernels(catalog, gpu, serving, m_share.heads != m_share.kvHeads) {}

void DenseLayer::addLinear(KernelSequence& kernels, std::string_view name, LinearRole role,
                           const GemmShape& shape) const {
    addUnlessNone(kernels, "cast", m_kernels.cast(role, shape));
    kernels.add(name, m_kernels.linear(role, shape));
}

template <class Attention>
KernelSequence DenseLayer::layer(double tokens, Attention attention) const {
    const double hidden = m_whole.hidden, queries = m_share.heads * m_share.headSize,
                 keys = m_share.kvHeads * m_share.headSize;
    KernelSequence kernels;
    const auto reduce = [&] {
        if (m_kernels.ranks() > 1)
            kernels.add("all-reduce", m_kernels.allReduce(2 * tokens * hidden));
    };
    kernels.add("norm 1", m_kernels.norm(tokens, hidden, LinearRole::Qkv));
    addLinear(kernels, "qkv", LinearRole::Qkv, {tokens, queries + 2 * keys, hidden});
    addUnlessNone(kernels, "rotary", m_kernels.rotary(tokens, queries, keys));
    addUnlessNone(kernels, "query to fp8", m_kernels.queryCast(tokens, queries));
    kernels.add("attention", attention());
    addLinear(kernels, "output", LinearRole::Output, {tokens, hidden, queries});
    reduce();
    kernels.add("norm 2", m_kernels.norm(tokens, hidden, LinearRole::GateUp));
    addLinear(kernels, "gate and up", LinearRole::GateUp, {tokens, 2 * m_share.width, hidden});
    kernels.add("silu", m_kernels.activation(tokens, m_share.width));
    addLinear(kernels, "down", LinearRole::Down, {tokens, hidden, m_share.width});
    reduce();
    return kernels;
}

KernelSequence DenseLayer::context(double batch, double tokens) const {
    return layer(batch * tokens, [&] {
        AttentionContextShape shape;
        shape.batch = batch;
        shape.tokens = tokens;
        shape.heads = m_share.heads;
        shape.kvHeads = m_share.kvHeads;
        shape.headSize = m_share.headSize;
        return m_kernels.context(shape);
    });
}

KernelSequence DenseLayer::generation(double batch, double cached) const {
    return layer(batch, [&] {
        AttentionGenerationShape shape;
        shape.batch = batch;
        shape.cached = cached;
        shape.heads = m_share.heads;
        shape.kvHeads = m_share.kvHeads;
        shape.headSize = m_share.headSize;
        return m_kernels.generation(shape);
    });
}

KernelSequence DenseLayer::ends(double tokens, double rows) const {
    const double hidden = m_whole.hidden;
    const double logits = 2 * rows * m_whole.vocabulary;
    const bool parallel = m_kernels.ranks() > 1;
    KernelSequence kernels;
    kernels.add("embedding", m_kernels.streamed(2 * tokens * hidden, 2 * tokens * hidden));
    if (parallel)
        kernels.add("all-reduce", m_kernels.allReduce(2 * tokens * hidden));
    kernels.add("norm", m_kernels.streamed(4 * rows * hidden, 4 * rows * hidden));
    kernels.add("head", m_kernels.head({rows, m_share.vocabulary, hidden}));
    if (parallel)
        kernels.add("all-gather", m_kernels.gather(logits));
    kernels.add("choice", m_kernels.streamed(logits, 4 * rows));
    return kernels;
}

} // namespace heteroscape::engine
