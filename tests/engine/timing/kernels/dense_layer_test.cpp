// SPDX-License-Identifier: GPL-3.0-or-later
// Golden values of silicon_kernels.md, section 11: a layer and the ends of a step as kernels, put together a
// second time.
#include "engine/timing/kernels/served_kernels.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A dense decoder with grouped attention and a gated MLP.
struct DenseShape {
    double hidden = 1, heads = 1, kvHeads = 1, headSize = 128, width = 1, vocabulary = 1;
};

struct NamedKernel {
    std::string_view name;
    KernelTime time;
};

/// The kernels of a layer, or of the ends of a step, in their order.
class KernelSequence {
public:
    void add(std::string_view name, KernelTime time) { m_kernels.at(m_count++) = {name, time}; }
    double us() const; ///< one after another; each has its own launch in it
    const NamedKernel* begin() const { return m_kernels.data(); }
    const NamedKernel* end() const { return m_kernels.data() + m_count; }

private:
    std::array<NamedKernel, 20> m_kernels{};
    std::size_t m_count = 0;
};

/// The kernels that a dense decoder layer becomes (silicon_kernels.md, section 11): which are fused, who
/// quantizes the input of which GEMM, what is split over ranks. The single kernels are measured, the
/// composition is that section's assumption. Prepared once; the functions allocate nothing.
class DenseLayer {
public:
    /// Throws Error (NotFound, InvalidInput) for what has no constants, no peak, or is no framework or
    /// recipe.
    DenseLayer(const KernelCatalog& catalog, const Gpu& gpu, const DenseShape& shape,
               const DenseServing& serving);

    /// One layer of a step with `batch` sequences of `tokens` new tokens each.
    KernelSequence context(double batch, double tokens) const;
    /// One layer of a step with one new token for each of `batch` sequences of `cached` tokens.
    KernelSequence generation(double batch, double cached) const;
    /// Once a step: embedding, final norm, head and choice, for `tokens` of which `rows` are sampled.
    KernelSequence ends(double tokens, double rows) const;

private:
    DenseShape m_whole, m_share; ///< of the model, of one rank
    ServedKernels m_kernels;

    template <class Attention>
    KernelSequence layer(double tokens, Attention attention) const;
    void addLinear(KernelSequence& kernels, std::string_view name, LinearRole role,
                   const GemmShape& shape) const;
};

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

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const DenseShape kLlama8b{4096, 32, 8, 128, 14336, 128256};
const DenseShape kLlama70b{8192, 64, 8, 128, 28672, 128256};
constexpr double kLayerDigits = 1e-5;

DenseLayer layer(const char* device, const DenseShape& shape, const DenseServing& serving = {}) {
    return {kernels(), gpu(device), shape, serving};
}

std::vector<std::string_view> names(const KernelSequence& sequence) {
    std::vector<std::string_view> all;
    for (const auto& kernel : sequence)
        all.push_back(kernel.name);
    return all;
}

} // namespace

TEST_CASE("layers and ends of a step take what the specification's prototype gives") {
    CHECK(off(layer("h100_sxm", kLlama8b).generation(64, 4096).us(), 571.883) < kLayerDigits);
    CHECK(off(layer("h100_sxm", kLlama8b, {"sglang", "bf16", false, 1}).context(1, 8192).us(), 6099.06) <
          kLayerDigits);
    CHECK(off(layer("h100_sxm", kLlama70b, {"sglang", "fp8_block", true, 8}).generation(32, 2000).us(),
              117.481) < kLayerDigits);
    CHECK(off(layer("h200_sxm", kLlama70b, {"trtllm", "fp8_static", true, 8}).context(2, 4096).us(),
              2741.83) < kLayerDigits);
    CHECK(off(layer("b200_sxm", kLlama70b, {"vllm", "nvfp4", true, 2}).generation(64, 8192).us(), 192.228) <
          kLayerDigits);
    CHECK(off(layer("l40s", kLlama8b, {"vllm", "fp8", true, 4}).generation(16, 1000).us(), 260.401) <
          kLayerDigits);
    CHECK(off(layer("h100_sxm", kLlama70b, {"trtllm", "bf16", false, 8}).ends(64, 64).us(), 203.748) <
          kLayerDigits);
}

TEST_CASE("a layer has the kernels that its framework launches") {
    const std::vector<std::string_view> alone{"norm 1", "qkv",         "attention", "output",
                                              "norm 2", "gate and up", "silu",      "down"};
    CHECK(names(layer("h100_sxm", kLlama8b).generation(1, 100)) == alone);
    const auto vllm = names(layer("h100_sxm", kLlama8b, {"vllm", "fp8_static", true, 2}).generation(1, 100));
    const auto count = [&](std::string_view name) { return std::count(vllm.begin(), vllm.end(), name); };
    CHECK(count("rotary") == 1);
    CHECK(count("query to fp8") == 1);
    CHECK(count("cast") == 1); // before the output projection
    CHECK(count("all-reduce") == 2);
}

TEST_CASE("what a layer cannot be served with is named") {
    CHECK(errorOf([] {
              layer("h100_sxm", kLlama8b, {"trtllm", "fp5", false, 1});
          }).find("recipe") != std::string::npos);
    CHECK(errorOf([] {
              layer("h100_sxm", kLlama8b, {"mine", "bf16", false, 1});
          }).find("framework") != std::string::npos);
    CHECK(errorOf([] {
              layer("h100_sxm", kLlama8b, {"trtllm", "nvfp4", false, 1});
          }).find("FP4 is not native on Hopper") != std::string::npos);
    CHECK(errorOf([] {
              layer("a100_sxm", kLlama8b, {"trtllm", "fp8", false, 1});
          }).find("FP8 is not native on Ampere") != std::string::npos);
}
