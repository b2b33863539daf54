// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/kernel_steps.h"

#include "engine/base/error.h"
#include "engine/operators/experts.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

namespace {

constexpr double kElementwiseShare = 0.8;  ///< of elementwise operators
constexpr double kLongestPrompt = 16384.0; ///< beyond it attention grows with the square
constexpr double kUs = 1e-6;

bool isBehindDispatch(std::string_view kernel) {
    return kernel.find("deepep") != kernel.npos || kernel.find("wide-ep") != kernel.npos;
}

/// Kernels of experts in a format, without those behind a dispatch: the framework's own where it has any,
/// else all.
std::vector<const MoeConstants*> measuredKernels(const KernelCatalog& catalog, std::string_view arch,
                                                 std::string_view framework, std::string_view format) {
    std::vector<const MoeConstants*> own, any;
    for (const auto& row : catalog.moe.rows) {
        if (row.names[0] != arch || row.constants.format != format || isBehindDispatch(row.names[1]))
            continue;
        any.push_back(&row.constants);
        if (std::string_view(row.names[1]).starts_with(framework))
            own.push_back(&row.constants);
    }
    return own.empty() ? any : own;
}

/// A format that was not measured on an architecture (INT4 on Blackwell) is timed with Hopper's constants and
/// the device's own rates.
std::vector<const MoeConstants*> expertKernels(const KernelCatalog& catalog, const Gpu& gpu,
                                               std::string_view framework, std::string_view format) {
    auto kernels = measuredKernels(catalog, gpu.arch, framework, format);
    return kernels.empty() ? measuredKernels(catalog, "hopper", framework, format) : kernels;
}

} // namespace

struct KernelSteps::Parts {
    /// Values of whole numbers below a limit, each worked out once; from any thread.
    class Remembered {
    public:
        explicit Remembered(std::size_t count) : m_values(count) {
            for (auto& value : m_values)
                value.store(std::numeric_limits<double>::quiet_NaN(), std::memory_order_relaxed);
        }
        template <class F>
        double at(double x, F f) const {
            if (!(x >= 0 && x < static_cast<double>(m_values.size())) || x != std::floor(x))
                return f(x);
            auto& value = m_values[static_cast<std::size_t>(x)];
            double known = value.load(std::memory_order_relaxed);
            if (std::isnan(known))
                value.store(known = f(x), std::memory_order_relaxed);
            return known;
        }

    private:
        mutable std::vector<std::atomic<double>> m_values;
    };

    const KernelCatalog& catalog;
    Gpu gpu;
    ServedShape shape;
    ServedFormats formats;
    ServedLayout layout;
    ServerConstants server;
    double draft;

    GemmKernel attentionGemm, denseGemm, plainGemm;
    std::vector<const MoeConstants*> kernels;
    const MoeFormat* expertFormat = nullptr;
    const AllReduceConstants* allReduce = nullptr;
    const NcclConstants *gather = nullptr, *scatter = nullptr;
    struct Attention {
        const AttentionContextConstants* context = nullptr;
        const AttentionGenerationConstants* generation = nullptr;
        const MlaDecodeConstants* latentDecode = nullptr;
        const MlaPrefillConstants* latentPrefill = nullptr;
        const MlaAbsorptionConstants *before = nullptr, *after = nullptr;
        double cacheBytes = 2; ///< of an element, as these kernels have it
        Remembered beforePart{0}, afterPart{0};
    };
    std::vector<Attention> attention;
    double perToken = 0.0; ///< us a token of elementwise operators and the embedding
    Remembered rankPart{40000}, expertPart{40000}, promptPart{17000}, headPart{5000};

    double memory; ///< B per us, as elementwise operators count
    double skew;

    Parts(const KernelCatalog& c, const Gpu& g, const ServedShape& s, const ServedFormats& f,
          const ServedLayout& l, const ServerConstants& constants, double d)
        : catalog(c), gpu(g), shape(s), formats(f), layout(l), server(constants), draft(d),
          attentionGemm(gemm(f.attention)), denseGemm(gemm(f.dense)), plainGemm(gemm("bfloat16")),
          memory((g.arch == "blackwell" ? 8.0 : g.figures.hbmTbs) * 1e6), skew(s.isLatent() ? 1.01 : 1.2) {
        if (shape.isMixture()) {
            const bool noFp4 = formats.experts == "nvfp4" && gpu.figures.peak(Rate::Fp4) <= 0;
            const std::string_view format =
                noFp4 ? std::string_view("fp8") : std::string_view(formats.experts);
            expertFormat = &catalog.moeFormat(format);
            requirePeak(gpu, expertFormat->rate);
            kernels = expertKernels(catalog, gpu, server.framework, format);
            if (kernels.empty())
                kernels = {&catalog.moeFor(gpu, server.framework, format).constants};
        }
        if (layout.ranks() > 1) {
            allReduce = &catalog.allReduce.require({gpu.link, server.framework}).constants;
            gather = &catalog.nccl.require({gpu.link, "all_gather"}).constants;
            scatter = &catalog.nccl.require({gpu.link, "reduce_scatter"}).constants;
        }
        for (const auto& a : shape.attention)
            attention.push_back(kernelsOf(a));
        perToken = elementwisePerToken();
    }

    GemmKernel gemm(const std::string& precision) const {
        const bool noFp4 = precision == "nvfp4" && gpu.figures.peak(Rate::Fp4) <= 0;
        return catalog.gemmKernel(gpu, server.framework, noFp4 ? "fp8" : precision);
    }

    Attention kernelsOf(const ServedAttention& a) const {
        Attention k;
        const bool fp8 = formats.cacheBytes == 1;
        if (a.kind == ServedAttention::Kind::Grouped) {
            const auto cache = fp8 ? "fp8" : "bfloat16";
            k.cacheBytes = formats.cacheBytes;
            k.context = &catalog.attentionContextFor(gpu, server.framework, "bfloat16", cache).constants;
            k.generation =
                &catalog
                     .attentionGenerationFor(gpu, server.framework, cache, localHeads(a) != localKvHeads(a))
                     .constants;
        } else if (a.kind == ServedAttention::Kind::Latent) {
            const auto& framework = server.latentFramework;
            const bool fp8Decode = fp8 && (gpu.arch == "blackwell" || framework == "trtllm");
            k.cacheBytes = fp8Decode ? 1 : 2;
            k.latentDecode = &catalog.mlaDecodeFor(gpu, framework, fp8Decode).constants;
            k.latentPrefill = &catalog.mlaPrefillFor(gpu, framework, fp8Decode).constants;
            k.before = &catalog.mlaAbsorptionFor(gpu, server.framework, "pre").constants;
            k.after = &catalog.mlaAbsorptionFor(gpu, server.framework, "post").constants;
            k.beforePart = Remembered(5000);
            k.afterPart = Remembered(5000);
        }
        return k;
    }

    double localHeads(const ServedAttention& a) const {
        return std::max(1.0, std::floor(a.heads / layout.tp));
    }
    double localKvHeads(const ServedAttention& a) const {
        return std::max(1.0, std::floor(a.kvHeads / layout.tp));
    }

    /// Elements that norms, rotary embeddings and casts of attention move for a token in a layer.
    double attentionElements(const ServedAttention& a) const {
        if (a.kind == ServedAttention::Kind::Latent)
            return 3 * a.queryRank + 2 * (a.rank + a.rope) + 2 * a.heads / layout.tp * (a.nope + a.rope);
        if (a.kind == ServedAttention::Kind::Delta) // as the full layers beside it
            for (const auto& other : shape.attention)
                if (other.kind == ServedAttention::Kind::Grouped)
                    return attentionElements(other);
        if (a.kind == ServedAttention::Kind::Delta)
            return 2 * deltaColumns(a) / layout.tp;
        const double columns = (a.heads / layout.tp + 2 * std::max(a.kvHeads / layout.tp, 1.0)) * a.headSize;
        return 2 * columns * (a.queryNorm && !a.gate ? 2 : 1);
    }

    double elementwisePerToken() const {
        const double h = shape.hidden, tp = layout.tp;
        double elements = 3 * (shape.denseLayers * shape.denseWidth + shape.layers * shape.sharedWidth) / tp;
        for (const auto& a : shape.attention)
            elements += a.count * (8 * h + attentionElements(a));
        return elements * 2 / (kElementwiseShare * memory) + 4 * h / memory;
    }

    static double qkvColumns(const ServedAttention& a, double tp) {
        const double queries = a.heads * (a.gate ? 2 : 1) * a.headSize / tp;
        return queries + 2 * std::max(a.kvHeads / tp, 1.0) * a.headSize;
    }
    static double deltaColumns(const ServedAttention& a) {
        return (2 * a.keyHeads + 2 * a.valueHeads) * a.stateSize;
    }

    double reduced(double rows, double ranks) const {
        if (ranks <= 1)
            return 0.0;
        const double bytes = rows * shape.hidden * 2;
        if (ranks <= 8)
            return allReduceTime(gpu.figures, *allReduce, ranks, bytes).us;
        const double within = allReduceTime(gpu.figures, *allReduce, 8, bytes).us;
        if (layout.bigDomain)
            return 1.15 * within;
        return within + 15 * std::log2(ranks / 8) + bytes / 8 / (0.85 * 50e3);
    }

    double linear(const GemmKernel& kernel, double rows, double columns, double inner,
                  bool fused = false) const {
        return kernel.time({rows, columns, inner}, kCold, fused).us;
    }

    /// Us of what goes with the rows of one attention rank.
    double rankTime(double rows) const {
        return rankPart.at(rows, [this](double t) { return rankTimeOf(t); });
    }
    double rankTimeOf(double rows) const {
        if (rows <= 0)
            return 0.0;
        const double h = shape.hidden, tp = layout.tp;
        const bool fused = formats.staticScales;
        double us = rows * perToken;
        for (const auto& a : shape.attention) {
            double layer = 0.0;
            const double heads = localHeads(a);
            if (a.kind == ServedAttention::Kind::Grouped) {
                layer = linear(attentionGemm, rows, qkvColumns(a, tp), h, fused) +
                        linear(attentionGemm, rows, h, a.heads * a.headSize / tp, fused);
            } else if (a.kind == ServedAttention::Kind::Latent) {
                layer = linear(attentionGemm, rows, a.queryRank + a.rank + a.rope, h, fused) +
                        linear(attentionGemm, rows, heads * (a.nope + a.rope), a.queryRank, fused) +
                        linear(attentionGemm, rows, h, heads * a.value, fused);
            } else {
                layer = linear(attentionGemm, rows, deltaColumns(a) / tp, h, fused) +
                        linear(attentionGemm, rows, h, a.valueHeads * a.stateSize / tp, fused) +
                        linear(plainGemm, rows, std::max(32.0, 2 * a.valueHeads / tp), h);
            }
            us += a.count * layer;
        }
        if (shape.denseLayers > 0)
            us += shape.denseLayers * (linear(denseGemm, rows, 2 * shape.denseWidth / tp, h, fused) +
                                       linear(denseGemm, rows, h, shape.denseWidth / tp, fused));
        if (shape.isMixture())
            us += shape.mixtureLayers * linear(plainGemm, rows, shape.experts, h);
        const double collectives = layout.dp > 1 ? shape.layers + shape.denseLayers : 2 * shape.layers;
        return us + collectives * reduced(rows, tp);
    }

    /// Us of the routed experts of all layers, `rows` of each data-parallel rank.
    double expertTime(double rows) const {
        if (!shape.isMixture() || rows <= 0)
            return 0.0;
        return expertPart.at(rows, [this](double t) {
            return shape.mixtureLayers * (server.experts * expertKernel(t * layout.dp) + exchange(t));
        });
    }

    double expertKernel(double group) const {
        const double ep = layout.expertEp, k = shape.chosen, experts = shape.experts;
        MoeShape work;
        work.hidden = shape.hidden;
        work.width = shape.expertWidth / layout.expertTp;
        work.localExperts = experts / ep;
        if (ep > 1) {
            const double f =
                std::min(ep, 1 + std::sqrt(2 * std::log(ep)) * std::sqrt((1 - 1 / ep) * ep / (group * k)));
            const double tokens = group * f;
            work.pairs = tokens * k / ep;
            work.touched = distinctExperts(experts, k, tokens) / ep;
            work.seen = tokens * k;
        } else {
            work.pairs = group * k;
            work.touched = distinctExpertsSkewed(experts, k, group, skew);
            work.seen = group * k;
        }
        double least = std::numeric_limits<double>::infinity();
        for (const auto* kernel : kernels)
            least = std::min(least, moeTime(gpu.figures, *kernel, *expertFormat, work).us);
        return least;
    }

    /// Us of dispatch and combine of one layer.
    double exchange(double rows) const {
        if (layout.dp <= 1)
            return 0.0;
        const double h = shape.hidden, ranks = layout.ranks();
        const double element = formats.experts == "nvfp4" ? 0.5 : 1.0;
        if (ranks <= (layout.bigDomain ? 4 : 8) || layout.expertEp <= 1) {
            const double all = rows * layout.dp * h, within = std::min(ranks, 8.0);
            const double us =
                ncclTime(gpu.figures, *gather, NcclOperation::AllGather, within, all * element).us +
                ncclTime(gpu.figures, *scatter, NcclOperation::ReduceScatter, within, all * 2).us;
            return ranks > 8 ? 1.3 * us : us;
        }
        const double fan = distinctPlaces(shape.chosen, layout.expertEp);
        return 30 + rows * fan * h * (element + 2) / (layout.bigDomain ? 0.6 * 900e3 : 0.8 * 50e3);
    }

    /// Us of decode attention of all layers.
    double decodeAttention(double sequences, double context) const {
        if (sequences <= 0)
            return 0.0;
        double us = 0.0;
        for (std::size_t i = 0; i < attention.size(); ++i) {
            const auto& a = shape.attention[i];
            const auto& k = attention[i];
            const double heads = localHeads(a);
            double layer = 0.0;
            if (a.kind == ServedAttention::Kind::Grouped) {
                layer = attentionGenerationTime(
                            gpu.figures, *k.generation,
                            {sequences, context, heads, localKvHeads(a), a.headSize, a.window, k.cacheBytes})
                            .us;
            } else if (a.kind == ServedAttention::Kind::Latent) {
                const double kept = a.hasIndex() ? std::min(context, a.indexKeys) : context;
                const auto absorption = [&](const MlaAbsorptionConstants* side, double width) {
                    return [this, side, width, heads, &a](double tokens) {
                        return mlaAbsorptionTime(gpu.figures, *side, {tokens, heads, a.rank, width, false})
                            .us;
                    };
                };
                layer =
                    mlaDecodeTime(gpu.figures, *k.latentDecode,
                                  {sequences, kept, heads, k.cacheBytes, {a.rank, a.rope, a.nope, a.value}})
                        .us +
                    k.beforePart.at(sequences, absorption(k.before, a.nope)) +
                    k.afterPart.at(sequences, absorption(k.after, a.value));
                if (a.hasIndex())
                    layer += 10 + sequences * context * 132 / (0.6 * memory);
            } else {
                layer = 12 + sequences * (a.valueHeads / layout.tp) * a.stateSize * a.stateSize * 8 /
                                 (0.6 * memory);
            }
            us += a.count * layer;
        }
        return us;
    }

    /// Us of attention of a whole prompt, all layers.
    double promptAttention(double tokens) const {
        if (tokens <= 0)
            return 0.0;
        if (tokens > kLongestPrompt) {
            const double more = tokens / kLongestPrompt;
            return promptAttention(kLongestPrompt) * more * more;
        }
        return promptPart.at(tokens, [this](double t) { return promptAttentionOf(t); });
    }
    double promptAttentionOf(double tokens) const {
        const double batch = std::max(1.0, std::floor(4096 / tokens));
        double us = 0.0;
        for (std::size_t i = 0; i < attention.size(); ++i) {
            const auto& a = shape.attention[i];
            const auto& k = attention[i];
            const double heads = localHeads(a);
            double layer = 0.0;
            if (a.kind == ServedAttention::Kind::Grouped) {
                AttentionContextShape s;
                s.batch = batch;
                s.tokens = tokens;
                s.heads = heads;
                s.kvHeads = localKvHeads(a);
                s.headSize = a.headSize;
                s.window = a.window;
                s.kvBytes = k.cacheBytes;
                layer = attentionContextTime(gpu.figures, *k.context, s).us / batch;
            } else if (a.kind == ServedAttention::Kind::Latent) {
                MlaPrefillShape s;
                s.batch = batch;
                s.tokens = tokens;
                s.heads = heads;
                s.kvBytes = k.cacheBytes;
                s.widths = {a.rank, a.rope, a.nope, a.value};
                layer = mlaPrefillTime(gpu.figures, *k.latentPrefill, s).us / batch;
                layer +=
                    linear(attentionGemm, tokens, heads * (a.nope + a.value), a.rank, formats.staticScales);
            } else {
                layer = 60 + tokens * (a.valueHeads / layout.tp) * a.stateSize * a.stateSize * 8 /
                                 (0.12 * gpu.figures.flopPerUs(Rate::Bf16));
            }
            us += a.count * layer;
        }
        return us;
    }

    double pieceAttention(const PromptPiece& piece) const {
        return std::max(0.0, promptAttention(piece.done + piece.tokens) - promptAttention(piece.done));
    }

    double logits(double rows) const {
        if (rows <= 0)
            return 0.0;
        return headPart.at(rows, [this](double r) {
            return linear(plainGemm, r, shape.vocabulary / layout.tp, shape.hidden);
        });
    }

    /// Seconds of a decode step of `sequences` whole on each rank.
    double decodeStep(double sequences, double context) const {
        const double rows = sequences * (1 + draft);
        const double kernelsUs = rankTime(rows) + expertTime(rows);
        const double drafter = 1 + draft / shape.layers;
        const double x = decodeAttention(sequences, context);
        const double us = server.kernels * kernelsUs + logits(rows);
        const double host = shape.layers * server.layer + server.step + server.sequence * sequences;
        return (us * kUs + host) * drafter + server.kernels * x * kUs;
    }

    double mixedStep(double sequences, double context, std::span<const PromptPiece> pieces) const {
        const double dp = layout.dp;
        double prompt = 0.0, ending = 0.0, most = 0.0, mostAttention = 0.0;
        std::vector<double> tokens(static_cast<std::size_t>(dp)), attentionUs(static_cast<std::size_t>(dp));
        std::vector<std::size_t> rankOf;
        dealOut(pieces, tokens, rankOf);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            prompt += pieces[i].tokens;
            ending += pieces[i].ends ? 1 : 0;
            attentionUs[rankOf[i]] += pieceAttention(pieces[i]);
        }
        most = *std::max_element(tokens.begin(), tokens.end());
        mostAttention = *std::max_element(attentionUs.begin(), attentionUs.end());
        const double own = std::ceil(sequences / dp);
        const double factor = dp > 1 ? server.parallelPrompts : 1.0;
        const double group = dp > 1 ? std::floor((prompt + sequences) / dp) + 1 : prompt + sequences;
        const double a = rankTime(most + own) + expertTime(group);
        const double kernelsUs =
            server.kernels * (factor * (a + mostAttention) + decodeAttention(own, context)) +
            factor * shape.layers * server.layer / kUs + logits(own + std::ceil(ending / dp));
        const double floor = shape.layers * server.eagerOf(shape.layerClass());
        return std::max(kernelsUs * kUs, floor) + server.step +
               server.sequence * (own + static_cast<double>(pieces.size()) / dp);
    }
};

KernelSteps::KernelSteps(const KernelCatalog& catalog, const Gpu& gpu, const ServedShape& shape,
                         const ServedFormats& formats, const ServedLayout& layout,
                         const ServerConstants& server, double draft)
    : m_parts(std::make_unique<const Parts>(catalog, gpu, shape, formats, layout, server, draft)) {}

KernelSteps::~KernelSteps() = default;

double KernelSteps::decode(double sequences, double context) const {
    return linearBetweenWhole(sequences / m_parts->layout.dp,
                              [&](double whole) { return m_parts->decodeStep(whole, context); });
}

double KernelSteps::mixed(double sequences, double context, std::span<const PromptPiece> pieces) const {
    return m_parts->mixedStep(sequences, context, pieces);
}

} // namespace heteroscape::engine
