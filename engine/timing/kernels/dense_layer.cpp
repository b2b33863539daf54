// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/dense_layer.h"

#include "engine/base/error.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

/// A recipe and the precision of its GEMMs.
struct Recipe {
    std::string_view id, precision;
};
constexpr std::array<Recipe, 8> kRecipes{{{"bf16", "bfloat16"},
                                          {"int8_wo", "int8_wo"},
                                          {"int4_wo", "int4_wo"},
                                          {"sq", "sq"},
                                          {"fp8", "fp8"},
                                          {"fp8_static", "fp8"},
                                          {"fp8_block", "fp8_block"},
                                          {"nvfp4", "nvfp4"}}};

std::string_view precisionOf(const DenseServing& serving) {
    std::vector<std::string_view> there;
    for (const auto& recipe : kRecipes) {
        if (recipe.id == serving.recipe)
            return recipe.precision;
        there.push_back(recipe.id);
    }
    throwInvalid("recipe", "unknown value \"" + serving.recipe.substr(0, 80) + "\"",
                 "Allowed: " + joined(there));
}

std::string_view frameworkOf(const DenseServing& serving) {
    return kKernelFrameworks[indexOfName(serving.framework, kKernelFrameworks, "framework")];
}

/// Whether attention over an fp8 cache computes in fp8 in the context phase.
bool fp8Attention(const DenseServing& serving, const Gpu& gpu) {
    if (!serving.fp8Cache)
        return false;
    if (serving.framework == "trtllm")
        return serving.recipe != "bf16";
    return serving.framework == "sglang" && (gpu.arch == "hopper" || gpu.arch == "blackwell");
}

DenseShape shareOf(const DenseShape& whole, double ranks) {
    auto share = whole;
    share.heads = whole.heads / ranks;
    share.kvHeads = ceilDivided(whole.kvHeads, ranks);
    share.width = whole.width / ranks;
    share.vocabulary = ceilDivided(whole.vocabulary, ranks);
    return share;
}

/// The most bytes that vLLM reduces in one kernel with the norm behind it; nothing elsewhere.
double fusedReduceBytes(std::string_view arch, double ranks) {
    constexpr double mib = 1024.0 * 1024.0;
    if (arch == "hopper")
        return ranks == 2 ? 64 * mib : ranks == 4 ? 2 * mib : ranks == 8 ? 0.5 * mib : 0.0;
    if (arch == "blackwell")
        return ranks == 2 ? 64 * mib : ranks == 4 ? 32 * mib : ranks == 8 ? mib : 0.0;
    return 0.0;
}

std::string_view cacheType(const DenseServing& serving) {
    return serving.fp8Cache ? "fp8" : "bfloat16";
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
    : m_gpu(gpu.figures), m_arch(gpu.arch), m_whole(shape), m_share(shareOf(shape, serving.ranks)),
      m_serving(serving), m_precision(*findGemmPrecision(precisionOf(serving))),
      m_linear(catalog.gemmKernel(gpu, frameworkOf(serving), m_precision.id)),
      m_head(catalog.gemmKernel(gpu, serving.framework, "bfloat16")),
      m_context(catalog
                    .attentionContextFor(gpu, serving.framework,
                                         fp8Attention(serving, gpu) ? "fp8" : "bfloat16", cacheType(serving))
                    .constants),
      m_generation(catalog
                       .attentionGenerationFor(gpu, serving.framework, cacheType(serving),
                                               m_share.heads != m_share.kvHeads)
                       .constants),
      m_elementwise(catalog.elementwise.require({gpu.arch}).constants),
      m_allReduce(catalog.allReduce.require({gpu.link, serving.framework}).constants),
      m_gather(catalog.nccl.require({gpu.link, ncclOperationName(NcclOperation::AllGather)}).constants),
      m_fp8Context(fp8Attention(serving, gpu)) {
    if (m_fp8Context)
        requirePeak(gpu, Rate::Fp8);
}

KernelTime DenseLayer::streamed(double read, double written) const {
    return elementwiseTime(m_gpu, m_elementwise, read + written, read + written);
}

bool DenseLayer::reduceFusesNorm(double tokens) const {
    if (m_serving.ranks <= 1)
        return false;
    if (m_serving.framework == "trtllm")
        return true;
    return m_serving.framework == "vllm" &&
           2 * tokens * m_whole.hidden <= fusedReduceBytes(m_arch, m_serving.ranks);
}

DenseLayer::Quantizer DenseLayer::quantizer(Linear linear, double tokens) const {
    const auto& recipe = m_serving.recipe;
    const bool behindNorm = linear == Qkv || linear == GateUp;
    const bool parallel = m_serving.ranks > 1;
    const bool trtllm = m_serving.framework == "trtllm", vllm = m_serving.framework == "vllm";
    if (recipe == "fp8" || recipe == "fp8_block")
        return vllm && behindNorm ? Quantizer::Fused : Quantizer::Own;
    if (recipe == "fp8_static") {
        const bool fused =
            trtllm ? linear == Down || (behindNorm && parallel) || (linear == Output && m_serving.fp8Cache)
                   : vllm && linear != Output;
        return fused ? Quantizer::Fused : Quantizer::Cast;
    }
    if (recipe == "nvfp4") {
        const bool fused = trtllm ? behindNorm && parallel
                                  : vllm && (linear == Down || (behindNorm && reduceFusesNorm(tokens)));
        return fused ? Quantizer::Fused : Quantizer::Own;
    }
    return Quantizer::Own; // its terms are 0
}

double DenseLayer::writtenBytes(Linear next, double tokens) const {
    return quantizer(next, tokens) == Quantizer::Fused ? m_precision.bytesX : 2.0;
}

void DenseLayer::addNorm(KernelSequence& kernels, std::string_view name, double tokens, Linear next) const {
    const double elements = tokens * m_whole.hidden;
    const double bytes = elements * (4 + 2 + writtenBytes(next, tokens));
    auto constants = m_elementwise;
    if (reduceFusesNorm(tokens))
        constants.start = 0.0; // the launch is that of the all-reduce before it
    kernels.add(name, elementwiseTime(m_gpu, constants, bytes, bytes));
}

void DenseLayer::addLinear(KernelSequence& kernels, std::string_view name, Linear linear,
                           const GemmShape& shape) const {
    const auto who = quantizer(linear, shape.m);
    if (who == Quantizer::Cast)
        kernels.add("cast", streamed(2 * shape.m * shape.k, shape.m * shape.k));
    kernels.add(name, m_linear.time(shape, kCold, who != Quantizer::Own));
}

template <class Attention>
KernelSequence DenseLayer::layer(double tokens, Attention attention) const {
    const double hidden = m_whole.hidden, queries = m_share.heads * m_share.headSize,
                 keys = m_share.kvHeads * m_share.headSize;
    const bool trtllm = m_serving.framework == "trtllm";
    KernelSequence kernels;
    const auto reduce = [&] {
        if (m_serving.ranks > 1)
            kernels.add("all-reduce",
                        allReduceTime(m_gpu, m_allReduce, m_serving.ranks, 2 * tokens * hidden));
    };
    addNorm(kernels, "norm 1", tokens, Qkv);
    addLinear(kernels, "qkv", Qkv, {tokens, queries + 2 * keys, hidden});
    if (!trtllm) {
        const double bytes = 2 * tokens * (queries + keys);
        kernels.add("rotary", streamed(bytes, bytes));
    }
    if (m_serving.framework == "vllm" && m_serving.fp8Cache && (m_arch == "hopper" || m_arch == "blackwell"))
        kernels.add("query to fp8", streamed(2 * tokens * queries, tokens * queries));
    kernels.add("attention", attention());
    addLinear(kernels, "output", Output, {tokens, hidden, queries});
    reduce();
    addNorm(kernels, "norm 2", tokens, GateUp);
    addLinear(kernels, "gate and up", GateUp, {tokens, 2 * m_share.width, hidden});
    const double inner = tokens * m_share.width;
    kernels.add("silu", streamed(4 * inner, inner * writtenBytes(Down, tokens)));
    addLinear(kernels, "down", Down, {tokens, hidden, m_share.width});
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
        shape.fp8 = m_fp8Context;
        shape.kvBytes = m_serving.fp8Cache ? 1 : 2;
        return attentionContextTime(m_gpu, m_context, shape);
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
        shape.kvBytes = m_serving.fp8Cache ? 1 : 2;
        return attentionGenerationTime(m_gpu, m_generation, shape);
    });
}

KernelSequence DenseLayer::ends(double tokens, double rows) const {
    const double hidden = m_whole.hidden, ranks = m_serving.ranks;
    const double logits = 2 * rows * m_whole.vocabulary;
    KernelSequence kernels;
    kernels.add("embedding", streamed(2 * tokens * hidden, 2 * tokens * hidden));
    if (ranks > 1)
        kernels.add("all-reduce", allReduceTime(m_gpu, m_allReduce, ranks, 2 * tokens * hidden));
    kernels.add("norm", streamed(4 * rows * hidden, 4 * rows * hidden));
    kernels.add("head", m_head.time({rows, m_share.vocabulary, hidden}));
    if (ranks > 1)
        kernels.add("all-gather", ncclTime(m_gpu, m_gather, NcclOperation::AllGather, ranks, logits));
    kernels.add("choice", streamed(logits, 4 * rows));
    return kernels;
}

} // namespace heteroscape::engine
