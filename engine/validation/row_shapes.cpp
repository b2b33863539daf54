// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/row_shapes.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/operators/experts.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace heteroscape::engine {

namespace {

// The kernel models with constants that nothing is lost with are rooflines; where a model adds what a
// roofline takes the larger of, the roofline stands here by itself.

constexpr double kLarger = 1e4; // a power norm of it is the larger one
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

[[noreturn]] void throwUnknown(const MeasuredRow& row) {
    throw Error(ErrorCode::NotFound, "column op", "unknown operation " + quotedPiece(row.text("op")));
}

double larger(const Gpu& gpu, double flops, Rate rate, double bytes) {
    requirePeak(gpu, rate);
    return std::max(flops / gpu.figures.flopPerUs(rate), bytes / gpu.figures.memoryBytesPerUs());
}

double gemmRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto* precision = findGemmPrecision(row.text("precision"));
    if (!precision)
        throw Error(ErrorCode::NotFound, "column precision",
                    "unknown precision " + quotedPiece(row.text("precision")));
    const auto [m, n, k] = measuredGemm(row);
    return larger(gpu, 2 * m * n * k, precision->rate,
                  m * k * precision->bytesX + n * k * precision->bytesW + 2 * m * n);
}

double contextRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredContext(row);
    const double s = shape.tokens, w = shape.window > 0 ? std::min(shape.window, s) : s;
    const double seen = w * (w + 1) / 2 + (s - w) * w; // keys of all queries
    return larger(gpu, 4 * shape.batch * shape.heads * shape.headSize * seen,
                  shape.fp8 ? Rate::Fp8 : Rate::Bf16,
                  shape.batch * s * shape.headSize * 4 * (shape.heads + shape.kvHeads));
}

double generationRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredGeneration(row);
    const double length = shape.window > 0 ? std::min(shape.cached, shape.window) : shape.cached;
    return larger(gpu, 4 * shape.batch * shape.heads * shape.headSize * length, Rate::Bf16,
                  shape.batch * (2 * length * shape.kvHeads * shape.headSize * shape.kvBytes +
                                 4 * shape.heads * shape.headSize));
}

double allReduceRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    AllReduceConstants ideal;
    ideal.e1 = ideal.e2 = ideal.e3 = 1;
    return allReduceTime(gpu.figures, ideal, row.number("ranks"), row.number("bytes")).us;
}

double ncclRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    NcclConstants ideal;
    ideal.e1 = ideal.e2 = ideal.nv = 1;
    const auto operation = findNcclOperation(row.text("op").substr(5)); // behind "nccl_"
    if (!operation)
        throwUnknown(row);
    return ncclTime(gpu.figures, ideal, *operation, row.number("ranks"), row.number("bytes")).us;
}

template <double (*Bytes)(const MeasuredRow&)>
double elementwiseRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    ElementwiseConstants ideal;
    ideal.memoryShare = 1;
    ideal.bytesPerClock = kNoLimit;
    return elementwiseTime(gpu.figures, ideal, Bytes(row), kCold).us;
}

double expertsRoofline(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto& measured = catalog.moe.require({gpu.arch, row.text("kernel")}).constants;
    const auto& format = measuredMoeFormat(catalog, measured, row);
    requirePeak(gpu, format.rate);
    MoeConstants ideal;
    ideal.memoryShare = ideal.tensorShare = 1;
    ideal.overlap = kLarger;
    return moeTime(gpu.figures, ideal, format, measuredMoe(measured, row)).us;
}

double mlaDecodeRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    MlaDecodeConstants ideal;
    ideal.memoryShare = ideal.tensorShare = 1;
    ideal.overlap = kLarger;
    ideal.headFloor = 0;
    const auto shape = measuredMlaDecode(row);
    return mlaDecodeTime(gpu.figures, ideal, shape, shape.cached).us;
}

double mlaPrefillRoofline(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    MlaPrefillConstants ideal;
    ideal.tensorShare = ideal.passes = 1;
    ideal.overlap = kLarger;
    const auto* measured = catalog.mlaPrefill.find({gpu.arch, row.text("kernel"), row.text("format")});
    ideal.absorbed = measured && measured->constants.absorbed;
    return mlaPrefillTime(gpu.figures, ideal, measuredMlaPrefill(row)).us;
}

double mlaAbsorptionRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    MlaAbsorptionConstants ideal;
    ideal.memoryShare = ideal.tensorShare = 1;
    ideal.overlap = kLarger;
    return mlaAbsorptionTime(gpu.figures, ideal, measuredMlaAbsorption(row)).us;
}

double deepEpRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredDeepEp(row);
    if (row.text("op").find("_ll_") != std::string_view::npos) {
        DeepEpLowLatencyConstants ideal;
        ideal.linkShare = ideal.networkShare = 1;
        ideal.overlap = kLarger;
        return deepEpLowLatencyTime(gpu.figures, ideal, shape).us;
    }
    DeepEpNormalConstants ideal;
    ideal.linkShare = ideal.networkShare = 1;
    ideal.processor = kNoLimit;
    ideal.overlap = kLarger;
    return deepEpNormalTime(gpu.figures, ideal, shape).us;
}

double nvlinkRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    NvlinkAllToAllConstants ideal;
    ideal.linkShare = 1;
    ideal.overlap = kLarger;
    return nvlinkAllToAllTime(gpu.figures, ideal, measuredNvlink(row)).us;
}

double linearRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto [op, decodes, shape] = measuredLinear(row);
    LinearAttentionConstants memory, products;
    memory.flat = products.tensor = 1;
    return std::max(linearAttentionTime(gpu.figures, memory, op, decodes, shape).us,
                    linearAttentionTime(gpu.figures, products, op, decodes, shape).us);
}

double encoderRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredEncoder(row);
    EncoderAttentionConstants memory, products;
    memory.memory = products.by64 = products.by72 = products.by80 = 1;
    return std::max(encoderAttentionTime(gpu.figures, memory, shape).us,
                    encoderAttentionTime(gpu.figures, products, shape).us);
}

double moduleRoofline(const KernelCatalog&, const Gpu& gpu, const MeasuredRow& row) {
    const auto module = measuredModule(row);
    ModuleConstants products, memory;
    products.tensor = products.index = products.attend = 1;
    memory.memory = memory.cache = memory.scan = memory.rows = 1;
    return std::max(moduleTime(gpu.figures, products, module.widths, module.step).us,
                    moduleTime(gpu.figures, memory, module.widths, module.step).us);
}

struct RooflineOf {
    std::string_view begins; ///< names of operations
    double (*us)(const KernelCatalog&, const Gpu&, const MeasuredRow&);
};
constexpr std::array<RooflineOf, 19> kRooflines{{{"gemm", gemmRoofline},
                                                 {"attention_context", contextRoofline},
                                                 {"attention_generation", generationRoofline},
                                                 {"allreduce", allReduceRoofline},
                                                 {"nccl_", ncclRoofline},
                                                 {"cast_fp8", elementwiseRoofline<measuredCastBytes>},
                                                 {"copy", elementwiseRoofline<measuredCopyBytes>},
                                                 {"moe", expertsRoofline},
                                                 {"mla_decode", mlaDecodeRoofline},
                                                 {"mla_prefill", mlaPrefillRoofline},
                                                 {"mla_bmm_", mlaAbsorptionRoofline},
                                                 {"deepep_", deepEpRoofline},
                                                 {"alltoall_", nvlinkRoofline},
                                                 {"gdn_", linearRoofline},
                                                 {"mamba2_", linearRoofline},
                                                 {"encoder_attention", encoderRoofline},
                                                 {"dsa_", moduleRoofline},
                                                 {"csa_", moduleRoofline},
                                                 {"hca_", moduleRoofline}}};

} // namespace

double rooflineUs(const KernelCatalog& catalog, const MeasuredRow& row) {
    const auto& gpu = catalog.gpu(row.text("device"));
    for (const auto& one : kRooflines)
        if (row.text("op").starts_with(one.begins))
            return one.us(catalog, gpu, row);
    throwUnknown(row);
}

namespace {

double cacheBytes(std::string_view type) {
    return type == "fp8" ? 1 : 2;
}

template <class Shape>
void readHeads(Shape& shape, const MeasuredRow& row) {
    shape.batch = row.number("batch");
    shape.heads = row.number("heads");
    shape.kvHeads = row.number("kv_heads");
    shape.headSize = row.number("head_dim");
    shape.window = row.number("window", 0);
    shape.kvBytes = cacheBytes(row.text("kv_dtype"));
}

RankLoad loadOf(const MeasuredRow& row) {
    if (row.has("assigned") && row.has("touched"))
        return {row.number("assigned"), row.number("touched")};
    const double experts = row.number("experts"), chosen = row.number("topk"), tokens = row.number("tokens");
    const double ranks = row.number("ep");
    const auto routing = row.text("routing");
    constexpr std::string_view power = "power_law_";
    if (routing.starts_with(power))
        if (const auto alpha = parseNumber(routing.substr(power.size())))
            return skewedRank(experts, chosen, tokens, ranks, *alpha);
    if (routing != "balanced")
        throwInvalid("column routing", quotedPiece(routing) + " is none, and assigned or touched is empty",
                     "Give both numbers, or balanced or power_law_<exponent>");
    return {tokens * chosen / ranks, std::min(experts, tokens * chosen) / ranks};
}

} // namespace

GemmShape measuredGemm(const MeasuredRow& row) {
    return {row.number("m"), row.number("n"), row.number("k")};
}

AttentionContextShape measuredContext(const MeasuredRow& row) {
    AttentionContextShape shape;
    readHeads(shape, row);
    shape.tokens = row.number("seq");
    shape.fp8 = row.text("precision") == "fp8";
    return shape;
}

AttentionGenerationShape measuredGeneration(const MeasuredRow& row) {
    AttentionGenerationShape shape;
    readHeads(shape, row);
    shape.cached = row.number("seq");
    return shape;
}

double measuredCastBytes(const MeasuredRow& row) {
    return 3 * row.number("m") * row.number("k");
}

double measuredCopyBytes(const MeasuredRow& row) {
    return 2 * row.number("bytes");
}

const MoeFormat& measuredMoeFormat(const KernelCatalog& catalog, const MoeConstants& constants,
                                   const MeasuredRow& row) {
    return catalog.moeFormat(row.has("format") ? row.text("format") : std::string_view(constants.format));
}

MoeShape measuredMoe(const MoeConstants& constants, const MeasuredRow& row) {
    const auto load = loadOf(row);
    MoeShape shape;
    shape.hidden = row.number("hidden");
    shape.width = row.number("inter") / row.number("tp", 1);
    shape.localExperts = row.number("experts") / row.number("ep");
    shape.pairs = load.pairs;
    shape.touched = load.distinct;
    shape.seen = constants.onlyReceived ? load.pairs : row.number("tokens") * row.number("topk");
    return shape;
}

MlaDecodeShape measuredMlaDecode(const MeasuredRow& row) {
    return {
        row.number("batch"), row.number("context"), row.number("heads"), cacheBytes(row.text("format")), {}};
}

MlaPrefillShape measuredMlaPrefill(const MeasuredRow& row) {
    MlaPrefillShape shape;
    shape.batch = row.number("batch");
    shape.tokens = row.number("context");
    shape.heads = row.number("heads");
    shape.kvBytes = cacheBytes(row.text("format"));
    return shape;
}

MlaAbsorptionShape measuredMlaAbsorption(const MeasuredRow& row) {
    MlaAbsorptionShape shape;
    shape.tokens = row.number("tokens");
    shape.heads = row.number("heads");
    shape.fp8 = row.text("format") == "fp8";
    return shape;
}

DeepEpShape measuredDeepEp(const MeasuredRow& row) {
    DeepEpShape shape;
    shape.tokens = row.number("tokens");
    shape.hidden = row.number("hidden");
    shape.chosen = row.number("topk");
    shape.experts = row.number("experts");
    shape.nodes = row.number("nodes");
    shape.dispatch = isDispatch(row);
    return shape;
}

NvlinkAllToAllShape measuredNvlink(const MeasuredRow& row) {
    return {row.number("tokens"), row.number("hidden"), row.number("topk"), row.number("ep"),
            isInLowPrecision(row) ? 1.0 : 2.0};
}

MeasuredLinear measuredLinear(const MeasuredRow& row) {
    const auto op = row.text("op");
    const bool rule = op.starts_with("gdn_rule") || op.ends_with("core"), delta = op.starts_with("gdn");
    const bool dense = row.form() != MeasuredForm::Experts; // else key heads stand in the column topk
    MeasuredLinear measured{delta ? rule ? LinearAttentionOp::DeltaRule : LinearAttentionOp::DeltaConvolution
                            : op == "mamba2_scan_c" ? LinearAttentionOp::Mamba2Scan
                                                    : LinearAttentionOp::Mamba2Convolution,
                            op.ends_with("_g") || op.find("decode") != std::string_view::npos,
                            {}};
    auto& shape = measured.shape;
    shape.requests = row.number("batch");
    shape.tokens = measured.decodes ? 1.0 : row.number(dense ? "seq" : "context");
    shape.valueHeads = row.number("heads");
    shape.keyHeads = row.number(dense ? "kv_heads" : "topk");
    if (!delta) {
        shape.state = row.number("head_dim");
        shape.chunk = row.number("k");
    }
    return measured;
}

EncoderAttentionShape measuredEncoder(const MeasuredRow& row) {
    return {row.number("batch"), row.number("seq"), row.number("heads"), row.number("head_dim")};
}

MeasuredModule measuredModule(const MeasuredRow& row) {
    const auto module = row.text("op").substr(0, 3), model = row.text("model"),
               precision = row.text("precision");
    MeasuredModule measured{row.text("op").substr(4), {}, {}};
    if (measured.phase == "context_dense")
        measured.phase = "dense";
    if (module == "dsa" && model == "v32")
        measured.widths = DsaWidths{};
    else if (module == "dsa" && model == "glm")
        measured.widths = DsaWidths{6144, 2048, {512, 64, 192, 256}, 32};
    else if (module != "dsa" && (model == "flash" || model == "pro"))
        measured.widths = CompressedWidths{model == "pro" ? 7168.0 : 4096.0, model == "pro" ? 1536.0 : 1024.0,
                                           module == "csa" ? 4.0 : 128.0,
                                           module == "hca"  ? 0.0
                                           : model == "pro" ? 1024.0
                                                            : 512.0};
    else
        throwInvalid("column model", quotedPiece(model) + " is no model with " + std::string(module),
                     module == "dsa" ? "Allowed: v32, glm" : "Allowed: flash, pro");
    if (auto* latent = std::get_if<DsaWidths>(&measured.widths); latent && row.number("indexer", 1) == 0.0)
        latent->indexHeads = 0.0;
    auto& step = measured.step;
    step.decodes = measured.phase == "generation";
    step.dense = measured.phase == "dense";
    step.batch = row.number("batch");
    step.tokens = row.number("seq");
    step.cached = row.number("prefix");
    step.heads = row.number("heads");
    step.kvBytes = cacheBytes(row.text("kv_dtype"));
    const auto* format = findGemmPrecision(precision);
    if (!format || (precision != "bfloat16" && precision != "fp8_block" && precision != "nvfp4"))
        throwInvalid("column precision", quotedPiece(precision) + " is none",
                     "Allowed: bfloat16, fp8_block, nvfp4");
    step.rate = format->rate;
    step.weightBytes = format->bytesW;
    return measured;
}

bool isDispatch(const MeasuredRow& row) {
    return row.text("op").ends_with("dispatch");
}

bool isInLowPrecision(const MeasuredRow& row) {
    return row.text("format") != "bf16";
}

} // namespace heteroscape::engine
