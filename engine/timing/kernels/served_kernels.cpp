// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/served_kernels.h"

#include "engine/base/error.h"

#include <algorithm>
#include <limits>

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

/// The format of the experts whose kernel unpacks weights of any.
constexpr std::string_view kUnpackedFormat = "int4_g128";

const Recipe& recipeOf(const DenseServing& serving) {
    std::vector<std::string_view> there;
    for (const auto& recipe : kRecipes) {
        if (recipe.id == serving.recipe)
            return recipe;
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

/// The most bytes that are reduced in one kernel with the norm behind it; below 0: none are.
double fusedReduceBytes(std::string_view framework, std::string_view arch, double ranks) {
    constexpr double mib = 1024.0 * 1024.0;
    if (ranks <= 1 || framework == "sglang")
        return -1.0;
    if (framework == "trtllm")
        return std::numeric_limits<double>::infinity();
    if (arch == "hopper")
        return ranks == 2 ? 64 * mib : ranks == 4 ? 2 * mib : ranks == 8 ? 0.5 * mib : 0.0;
    if (arch == "blackwell")
        return ranks == 2 ? 64 * mib : ranks == 4 ? 32 * mib : ranks == 8 ? mib : 0.0;
    return 0.0;
}

bool headWasMeasured(double size) {
    return size == 64 || size == 128 || size == 256;
}

/// The experts whose kernel unpacks weights; null where those of the recipe need none, or the framework's own
/// GEMM was measured.
const FittedConstants<MoeConstants>* unpackingOf(const KernelCatalog& catalog, const Gpu& gpu,
                                                 const DenseServing& serving) {
    const auto precision = recipeOf(serving).precision, framework = frameworkOf(serving);
    if (!findGemmPrecision(precision)->weightOnly || catalog.gemm.find({gpu.arch, framework, precision}))
        return nullptr;
    return &catalog.moeFor(gpu, framework, kUnpackedFormat);
}

std::string_view cacheType(const DenseServing& serving) {
    return serving.fp8Cache ? "fp8" : "bfloat16";
}

} // namespace

/// Where the constants of what is served lie.
struct ServedKernels::Rows {
    const FittedConstants<MoeConstants>* unpacking; ///< null: a GEMM of its own
    const FittedConstants<GemmConstants>& linear;
    const FittedConstants<GemmConstants>& head;
    const FittedConstants<AttentionContextConstants>& context;
    const FittedConstants<AttentionGenerationConstants>& generation;
    const FittedConstants<ElementwiseConstants>& elementwise;
    const FittedConstants<AllReduceConstants>& allReduce;
    const FittedConstants<NcclConstants>& gather;

    Rows(const KernelCatalog& catalog, const Gpu& gpu, const DenseServing& serving, bool grouped)
        : unpacking(unpackingOf(catalog, gpu, serving)),
          linear(catalog.gemmFor(gpu, frameworkOf(serving),
                                 unpacking ? "bfloat16" : recipeOf(serving).precision)),
          head(catalog.gemmFor(gpu, frameworkOf(serving), "bfloat16")),
          context(catalog.attentionContextFor(gpu, frameworkOf(serving),
                                              fp8Attention(serving, gpu) ? "fp8" : "bfloat16",
                                              cacheType(serving))),
          generation(catalog.attentionGenerationFor(gpu, frameworkOf(serving), cacheType(serving), grouped)),
          elementwise(catalog.elementwise.require({gpu.arch})),
          allReduce(catalog.allReduce.require({gpu.link, frameworkOf(serving)})),
          gather(catalog.nccl.require({gpu.link, ncclOperationName(NcclOperation::AllGather)})) {}
};

ServedKernels::ServedKernels(const KernelCatalog& catalog, const Gpu& gpu, const DenseServing& serving,
                             bool grouped)
    : ServedKernels(catalog, gpu, serving, Rows(catalog, gpu, serving, grouped)) {}

ServedKernels::ServedKernels(const KernelCatalog& catalog, const Gpu& gpu, const DenseServing& serving,
                             const Rows& rows)
    : m_gpu(gpu), m_framework(frameworkOf(serving)), m_recipe(recipeOf(serving).id), m_ranks(serving.ranks),
      m_cacheBytes(serving.fp8Cache ? 1.0 : 2.0), m_weightBytes(serving.weightBytes),
      m_fusedReduce(fusedReduceBytes(m_framework, gpu.arch, m_ranks)), m_rotates(!is("trtllm")),
      m_castsQueries(is("vllm") && fp8Cache() && (gpu.arch == "hopper" || gpu.arch == "blackwell")),
      m_precision(*findGemmPrecision(recipeOf(serving).precision)),
      m_linear(gpu.figures, rows.linear.constants, m_precision, catalog.gemmTiles),
      m_head(gpu.figures, rows.head.constants, *findGemmPrecision("bfloat16"), catalog.gemmTiles),
      m_context(rows.context.constants), m_generation(rows.generation.constants),
      m_elementwise(rows.elementwise.constants), m_allReduce(rows.allReduce.constants),
      m_gather(rows.gather.constants), m_fp8Context(fp8Attention(serving, gpu)) {
    requirePeak(gpu, m_precision.rate);
    requirePeak(gpu, Rate::Bf16);
    for (std::size_t role = 0; role < m_quantizers.size(); ++role)
        for (const bool hasNorm : {false, true})
            m_quantizers[role][hasNorm ? 1 : 0] = quantizerOf(static_cast<LinearRole>(role), hasNorm);
    if (rows.unpacking) {
        const double own = recipeOf(serving).precision == "int4_wo"
                               ? catalog.moeFormat(kUnpackedFormat).weightBytes
                               : m_precision.bytesW;
        m_unpacking = {rows.unpacking->constants, m_weightBytes > 0.0 ? m_weightBytes : own,
                       rows.linear.constants.launch};
    }
    if (m_fp8Context)
        requirePeak(gpu, Rate::Fp8);
    // Of another framework's constants that stand in: nothing was measured of this one's kernel.
    const auto own = [&](const auto& row) {
        const auto trust = trustIn(row.heldOut, gpu);
        return row.names[1] == m_framework ? trust : trust.standIn();
    };
    m_trust = {rows.unpacking ? trustIn(rows.unpacking->heldOut, gpu).standIn() : own(rows.linear),
               own(rows.head),
               own(rows.context),
               own(rows.generation),
               trustIn(rows.elementwise.heldOut, gpu),
               trustIn(rows.allReduce.heldOut, gpu, true),
               trustIn(rows.gather.heldOut, gpu, true)};
}

bool wasMeasured(const GemmShape& shape) {
    const auto within = [](double size) { return size >= 128 && size <= 65536; };
    return shape.m <= 16384 && within(shape.n) && within(shape.k);
}

bool wasMeasured(const AttentionContextShape& shape) {
    return shape.cached == 0 && shape.tokens <= 16384 && headWasMeasured(shape.headSize);
}

bool wasMeasured(const AttentionGenerationShape& shape) {
    return shape.cached <= 131072 && headWasMeasured(shape.headSize) && shape.heads <= 16 * shape.kvHeads;
}

bool ranksWereMeasured(double ranks) {
    return ranks >= 2 && ranks <= 8;
}

KernelTime ServedKernels::streamed(double read, double written) const {
    return m_trust.elementwise.of(
        elementwiseTime(m_gpu.figures, m_elementwise, read + written, read + written));
}

ServedKernels::Quantizer ServedKernels::quantizerOf(LinearRole role, bool reduceHasNorm) const {
    const bool behindNorm = role == LinearRole::Qkv || role == LinearRole::GateUp;
    const bool parallel = m_ranks > 1;
    const bool trtllm = is("trtllm"), vllm = is("vllm");
    if (m_recipe == "fp8" || m_recipe == "fp8_block")
        return vllm && behindNorm ? Quantizer::Fused : Quantizer::Own;
    if (m_recipe == "fp8_static") {
        const bool fused = trtllm ? role == LinearRole::Down || (behindNorm && parallel) ||
                                        (role == LinearRole::Output && fp8Cache())
                                  : vllm && role != LinearRole::Output;
        return fused ? Quantizer::Fused : Quantizer::Cast;
    }
    if (m_recipe == "nvfp4") {
        const bool fused = trtllm ? behindNorm && parallel
                                  : vllm && (role == LinearRole::Down || (behindNorm && reduceHasNorm));
        return fused ? Quantizer::Fused : Quantizer::Own;
    }
    return Quantizer::Own; // its terms are 0
}

double ServedKernels::writtenBytes(LinearRole next, double tokens, double hidden) const {
    return quantizer(next, tokens, hidden) == Quantizer::Fused ? m_precision.bytesX : 2.0;
}

KernelTime ServedKernels::norm(double tokens, double hidden, LinearRole next) const {
    const double bytes = tokens * hidden * (4 + 2 + writtenBytes(next, tokens, hidden));
    auto constants = m_elementwise;
    if (reduceFusesNorm(tokens, hidden))
        constants.start = 0.0; // the launch is that of the all-reduce before it
    return m_trust.elementwise.of(elementwiseTime(m_gpu.figures, constants, bytes, bytes));
}

KernelTime ServedKernels::cast(LinearRole role, const GemmShape& shape) const {
    return quantizer(role, shape.m, shape.k) == Quantizer::Cast
               ? streamed(2 * shape.m * shape.k, shape.m * shape.k)
               : KernelTime{};
}

KernelTime ServedKernels::linear(LinearRole role, const GemmShape& shape) const {
    if (m_unpacking)
        return m_trust.linear.of(unpackingGemmTime(m_gpu.figures, m_unpacking->constants,
                                                   m_unpacking->weightBytes, m_unpacking->launchUs, shape));
    return m_trust.linear.of(m_linear.time(shape, kCold, quantizer(role, shape.m, shape.k) != Quantizer::Own),
                             wasMeasured(shape));
}

KernelTime ServedKernels::rotary(double tokens, double queries, double keys) const {
    const double bytes = 2 * tokens * (queries + keys);
    return m_rotates ? streamed(bytes, bytes) : KernelTime{};
}

KernelTime ServedKernels::queryCast(double tokens, double queries) const {
    return m_castsQueries ? streamed(2 * tokens * queries, tokens * queries) : KernelTime{};
}

KernelTime ServedKernels::activation(double tokens, double width, bool gated) const {
    const double inner = tokens * width;
    // The width of the norm's row matters to layers behind a norm alone: not to the last one.
    return streamed((gated ? 4 : 2) * inner, inner * writtenBytes(LinearRole::Down, tokens, width));
}

KernelTime ServedKernels::context(AttentionContextShape shape) const {
    shape.fp8 = m_fp8Context;
    shape.kvBytes = m_cacheBytes;
    return m_trust.context.of(attentionContextTime(m_gpu.figures, m_context, shape), wasMeasured(shape));
}

GenerationKernel ServedKernels::generationKernel() const {
    GenerationKernel kernel{m_gpu.figures, m_generation, {}, m_trust.generation};
    kernel.shape.kvBytes = m_cacheBytes;
    return kernel;
}

KernelTime ServedKernels::generation(const AttentionGenerationShape& shape) const {
    auto whole = shape;
    whole.kvBytes = m_cacheBytes;
    return m_trust.generation.of(attentionGenerationTime(m_gpu.figures, m_generation, whole),
                                 wasMeasured(whole));
}

KernelTime GenerationKernel::at(double cached) const {
    auto whole = shape;
    whole.cached = cached;
    return trust.of(attentionGenerationTime(gpu, constants, whole), wasMeasured(whole));
}

KernelTime ServedKernels::allReduce(double bytes, double ranks) const {
    if (ranks > m_gpu.perNode)
        return acrossNodesTime(m_gpu, NcclOperation::AllReduce, ranks, bytes);
    return m_trust.allReduce.of(allReduceTime(m_gpu.figures, m_allReduce, ranks, bytes),
                                ranksWereMeasured(ranks));
}

KernelTime ServedKernels::gather(double bytes) const {
    if (m_ranks > m_gpu.perNode)
        return acrossNodesTime(m_gpu, NcclOperation::AllGather, m_ranks, bytes);
    return m_trust.gather.of(ncclTime(m_gpu.figures, m_gather, NcclOperation::AllGather, m_ranks, bytes),
                             ranksWereMeasured(m_ranks));
}

std::shared_ptr<const ServedKernels> keptKernels(const KernelCatalog& catalog, const Gpu& gpu,
                                                 const DenseServing& serving, bool grouped) {
    struct Kept {
        std::uint64_t catalog = 0;
        Gpu gpu;
        DenseServing serving;
        bool grouped = false;
        std::shared_ptr<const ServedKernels> kernels;
    };
    thread_local std::array<Kept, 16> kept;
    thread_local std::size_t oldest = 0;
    for (const auto& one : kept)
        if (one.kernels && one.catalog == catalog.fingerprint && one.grouped == grouped && one.gpu == gpu &&
            one.serving == serving)
            return one.kernels;
    auto& one = kept[oldest++ % kept.size()];
    one = {catalog.fingerprint, gpu, serving, grouped,
           std::make_shared<const ServedKernels>(catalog, gpu, serving, grouped)};
    return one.kernels;
}

} // namespace heteroscape::engine
