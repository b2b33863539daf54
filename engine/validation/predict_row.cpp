// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/predict_row.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/operators/experts.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

using Predict = KernelTime (*)(const KernelCatalog&, const Gpu&, const MeasuredRow&);

struct Operation {
    std::string_view name;
    Predict predict;
};

double cacheBytes(std::string_view type) {
    return type == "fp8" ? 1 : 2;
}

KernelTime gemm(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto precision = row.text("precision");
    const GemmShape shape{row.number("m"), row.number("n"), row.number("k")};
    const auto kernel = catalog.gemmKernel(gpu, row.text("framework"), precision);
    const auto& used = catalog.gemmFor(gpu, row.text("framework"), precision).names[1];
    return kernel.time(shape, gemmLoopFootprint(used, *findGemmPrecision(precision), gpu.figures, shape));
}

KernelTime context(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    AttentionContextShape shape;
    shape.batch = row.number("batch");
    shape.tokens = row.number("seq");
    shape.heads = row.number("heads");
    shape.kvHeads = row.number("kv_heads");
    shape.headSize = row.number("head_dim");
    shape.window = row.number("window", 0);
    shape.fp8 = row.text("precision") == "fp8";
    shape.kvBytes = cacheBytes(row.text("kv_dtype"));
    const auto& fitted =
        catalog.attentionContextFor(gpu, row.text("framework"), row.text("precision"), row.text("kv_dtype"));
    requirePeak(gpu, shape.fp8 ? Rate::Fp8 : Rate::Bf16);
    return attentionContextTime(gpu.figures, fitted.constants, shape, false);
}

KernelTime generation(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    AttentionGenerationShape shape;
    shape.batch = row.number("batch");
    shape.cached = row.number("seq");
    shape.heads = row.number("heads");
    shape.kvHeads = row.number("kv_heads");
    shape.headSize = row.number("head_dim");
    shape.window = row.number("window", 0);
    shape.kvBytes = cacheBytes(row.text("kv_dtype"));
    const auto& fitted = catalog.attentionGenerationFor(gpu, row.text("framework"), row.text("kv_dtype"),
                                                        shape.heads != shape.kvHeads);
    return attentionGenerationTime(gpu.figures, fitted.constants, shape, false);
}

KernelTime allReduce(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return allReduceTime(gpu.figures, catalog.allReduce.require({gpu.link, row.text("framework")}).constants,
                         row.number("ranks"), row.number("bytes"));
}

KernelTime nccl(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto name = row.text("op").substr(5); // behind "nccl_"
    return ncclTime(gpu.figures, catalog.nccl.require({gpu.link, name}).constants, *findNcclOperation(name),
                    row.number("ranks"), row.number("bytes"));
}

KernelTime castFp8(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const double bytes = 3 * row.number("m") * row.number("k"); // bf16 read, fp8 written
    return elementwiseTime(gpu.figures, catalog.elementwise.require({gpu.arch}).constants, bytes, bytes);
}

/// Pairs and experts of the measured rank: as recorded, else worked out from the routing.
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

KernelTime experts(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto& c = catalog.moe.require({gpu.arch, row.text("kernel")}).constants;
    const auto& format =
        catalog.moeFormat(row.has("format") ? row.text("format") : std::string_view(c.format));
    requirePeak(gpu, format.rate);
    const auto load = loadOf(row);
    MoeShape shape;
    shape.hidden = row.number("hidden");
    shape.width = row.number("inter") / row.number("tp", 1);
    shape.localExperts = row.number("experts") / row.number("ep");
    shape.pairs = load.pairs;
    shape.touched = load.distinct;
    shape.seen = c.onlyReceived ? load.pairs : row.number("tokens") * row.number("topk");
    return moeTime(gpu.figures, c, format, shape);
}

KernelTime mlaDecode(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const MlaDecodeShape shape{
        row.number("batch"), row.number("context"), row.number("heads"), cacheBytes(row.text("format")), {}};
    if (gpu.arch == "ampere") // its kernel does not split keys, and was measured under TensorRT-LLM only
        return mlaSerialDecodeTime(
            gpu.figures, catalog.mlaSerialDecode.require({gpu.arch, "trtllm", row.text("format")}).constants,
            shape);
    return mlaDecodeTime(
        gpu.figures, catalog.mlaDecode.require({gpu.arch, row.text("kernel"), row.text("format")}).constants,
        shape);
}

KernelTime mlaPrefill(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto framework = gpu.arch == "ampere" ? std::string_view("trtllm") : row.text("kernel");
    MlaPrefillShape shape;
    shape.batch = row.number("batch");
    shape.tokens = row.number("context");
    shape.heads = row.number("heads");
    shape.kvBytes = cacheBytes(row.text("format"));
    return mlaPrefillTime(
        gpu.figures, catalog.mlaPrefill.require({gpu.arch, framework, row.text("format")}).constants, shape);
}

KernelTime mlaAbsorption(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    MlaAbsorptionShape shape;
    shape.tokens = row.number("tokens");
    shape.heads = row.number("heads");
    shape.fp8 = row.text("format") == "fp8";
    const auto step = row.text("op").substr(8); // behind "mla_bmm_"
    return mlaAbsorptionTime(
        gpu.figures,
        catalog.mlaAbsorption.require({gpu.arch, row.text("kernel"), row.text("format"), step}).constants,
        shape);
}

DeepEpShape deepEpShape(const MeasuredRow& row) {
    DeepEpShape shape;
    shape.tokens = row.number("tokens");
    shape.hidden = row.number("hidden");
    shape.chosen = row.number("topk");
    shape.experts = row.number("experts");
    shape.nodes = row.number("nodes");
    shape.dispatch = row.text("op").ends_with("dispatch");
    return shape;
}

KernelTime deepEpLowLatency(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = deepEpShape(row);
    return deepEpLowLatencyTime(
        gpu.figures,
        catalog.deepEpLowLatency.require({gpu.arch, shape.dispatch ? "dispatch" : "combine"}).constants,
        shape);
}

KernelTime deepEpNormal(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    auto shape = deepEpShape(row);
    shape.processors = row.number("sms");
    if (shape.processors < 1)
        throwInvalid("column sms", "it is 0, and " + std::string(row.text("op")) + " needs it");
    return deepEpNormalTime(
        gpu.figures,
        catalog.deepEpNormal.require({gpu.arch, shape.dispatch ? "dispatch" : "combine"}).constants, shape);
}

KernelTime nvlinkAllToAll(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    auto step = row.text("op").substr(9); // behind "alltoall_"
    const bool low = row.text("format") != "bf16";
    if (step == "combine" && low)
        step = "combine_low_precision";
    return nvlinkAllToAllTime(
        gpu.figures, catalog.nvlinkAllToAll.require({row.text("kernel"), step}).constants,
        {row.number("tokens"), row.number("hidden"), row.number("topk"), row.number("ep"), low ? 1.0 : 2.0});
}

KernelTime gatedDelta(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto arch = gpu.arch == "ampere" ? std::string("hopper") : gpu.arch; // not measured there
    const auto& c = catalog.gatedDelta.require({arch}).constants;
    const auto op = row.text("op");
    const bool decode = op.find("decode") != std::string_view::npos;
    // Key heads stand in the column topk.
    const GatedDeltaShape shape{row.number("batch"), decode ? 1.0 : row.number("context"),
                                row.number("heads"), row.number("topk")};
    if (op.ends_with("conv"))
        return gatedDeltaConvolutionTime(gpu.figures, c, shape, decode);
    return decode ? gatedDeltaDecodeTime(gpu.figures, c, shape)
                  : gatedDeltaPrefillTime(gpu.figures, c, shape);
}

constexpr std::array<Operation, 9> kKernelOperations{{{"gemm", gemm},
                                                      {"attention_context", context},
                                                      {"attention_generation", generation},
                                                      {"allreduce", allReduce},
                                                      {"nccl_all_reduce", nccl},
                                                      {"nccl_all_gather", nccl},
                                                      {"nccl_reduce_scatter", nccl},
                                                      {"nccl_alltoall", nccl},
                                                      {"cast_fp8", castFp8}}};

constexpr std::array<Operation, 15> kExpertOperations{{{"moe", experts},
                                                       {"mla_decode", mlaDecode},
                                                       {"mla_prefill", mlaPrefill},
                                                       {"mla_bmm_pre", mlaAbsorption},
                                                       {"mla_bmm_post", mlaAbsorption},
                                                       {"deepep_ll_dispatch", deepEpLowLatency},
                                                       {"deepep_ll_combine", deepEpLowLatency},
                                                       {"deepep_normal_dispatch", deepEpNormal},
                                                       {"deepep_normal_combine", deepEpNormal},
                                                       {"alltoall_dispatch", nvlinkAllToAll},
                                                       {"alltoall_combine", nvlinkAllToAll},
                                                       {"gdn_decode_core", gatedDelta},
                                                       {"gdn_prefill_core", gatedDelta},
                                                       {"gdn_decode_conv", gatedDelta},
                                                       {"gdn_prefill_conv", gatedDelta}}};

std::span<const Operation> operationsOf(MeasuredForm form) {
    if (form == MeasuredForm::Kernels)
        return kKernelOperations;
    return kExpertOperations;
}

} // namespace

KernelTime predictRow(const KernelCatalog& catalog, const MeasuredRow& row) {
    std::vector<std::string_view> there;
    for (const auto& operation : operationsOf(row.form())) {
        if (operation.name == row.text("op"))
            return operation.predict(catalog, catalog.gpu(row.text("device")), row);
        there.push_back(operation.name);
    }
    throw Error(ErrorCode::NotFound, "column op", "unknown operation " + quotedPiece(row.text("op")),
                "Allowed: " + joined(there));
}

} // namespace heteroscape::engine
