// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/row_detail.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/validation/row_shapes.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace heteroscape::engine {

namespace {

using Predict = KernelTime (*)(const KernelCatalog&, const Gpu&, const MeasuredRow&);
using Place = ConstantsPlace (*)(const KernelCatalog&, const Gpu&, const MeasuredRow&);

struct Operation {
    std::string_view name;
    Predict predict;
    Place place;
};

template <class Constants>
std::string_view familyOf(const KernelCatalog& catalog) {
    std::string_view family;
    visitFamilies(catalog, [&]<class Other>(std::string_view id, const ConstantsTable<Other>&) {
        if constexpr (std::is_same_v<Constants, Other>)
            family = id;
    });
    return family;
}

template <class Constants>
ConstantsPlace placeOf(const KernelCatalog& catalog, const FittedConstants<Constants>& row) {
    return {std::string(familyOf<Constants>(catalog)), row.names, row.names};
}

/// Where the constants lie that `Find` finds for a row.
template <auto Find>
ConstantsPlace place(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return placeOf(catalog, Find(catalog, gpu, row));
}

/// The same where another framework may stand in: the second name is the row's own.
template <auto Find>
ConstantsPlace ownPlace(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    auto at = place<Find>(catalog, gpu, row);
    at.names[1] =
        kKernelFrameworks[indexOfName(row.text("framework"), kKernelFrameworks, "column framework")];
    return at;
}

const auto& gemmConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.gemmFor(gpu, row.text("framework"), row.text("precision"));
}

KernelTime gemm(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto precision = row.text("precision");
    const auto shape = measuredGemm(row);
    const auto kernel = catalog.gemmKernel(gpu, row.text("framework"), precision);
    const auto& used = gemmConstants(catalog, gpu, row).names[1];
    return kernel.time(shape, gemmLoopFootprint(used, *findGemmPrecision(precision), gpu.figures, shape));
}

const auto& contextConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.attentionContextFor(gpu, row.text("framework"), row.text("precision"),
                                       row.text("kv_dtype"));
}

KernelTime context(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredContext(row);
    const auto& fitted = contextConstants(catalog, gpu, row);
    requirePeak(gpu, shape.fp8 ? Rate::Fp8 : Rate::Bf16);
    return attentionContextTime(gpu.figures, fitted.constants, shape, false);
}

const auto& generationConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.attentionGenerationFor(gpu, row.text("framework"), row.text("kv_dtype"),
                                          row.number("heads") != row.number("kv_heads"));
}

KernelTime generation(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto& fitted = generationConstants(catalog, gpu, row);
    return attentionGenerationTime(gpu.figures, fitted.constants, measuredGeneration(row), false);
}

const auto& allReduceConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.allReduce.require({gpu.link, row.text("framework")});
}

KernelTime allReduce(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return allReduceTime(gpu.figures, allReduceConstants(catalog, gpu, row).constants, row.number("ranks"),
                         row.number("bytes"));
}

const auto& ncclConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.nccl.require({gpu.link, row.text("op").substr(5)}); // behind "nccl_"
}

KernelTime nccl(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto& fitted = ncclConstants(catalog, gpu, row);
    return ncclTime(gpu.figures, fitted.constants, *findNcclOperation(fitted.names[1]), row.number("ranks"),
                    row.number("bytes"));
}

const auto& elementwiseConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow&) {
    return catalog.elementwise.require({gpu.arch});
}

KernelTime castFp8(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const double bytes = measuredCastBytes(row);
    return elementwiseTime(gpu.figures, elementwiseConstants(catalog, gpu, row).constants, bytes, bytes);
}

KernelTime copy(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return elementwiseTime(gpu.figures, elementwiseConstants(catalog, gpu, row).constants,
                           measuredCopyBytes(row), kCold);
}

const auto& expertConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.moe.require({gpu.arch, row.text("kernel")});
}

KernelTime experts(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto& c = expertConstants(catalog, gpu, row).constants;
    const auto& format = measuredMoeFormat(catalog, c, row);
    requirePeak(gpu, format.rate);
    return moeTime(gpu.figures, c, format, measuredMoe(c, row));
}

const auto& mlaDecodeConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.mlaDecode.require({gpu.arch, row.text("kernel"), row.text("format")});
}

/// Of Ampere, whose kernel does not split keys and was measured under TensorRT-LLM only.
const auto& mlaSerialConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.mlaSerialDecode.require({gpu.arch, "trtllm", row.text("format")});
}

bool isSerial(const Gpu& gpu) {
    return gpu.arch == "ampere";
}

ConstantsPlace mlaDecodePlace(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return isSerial(gpu) ? place<mlaSerialConstants>(catalog, gpu, row)
                         : place<mlaDecodeConstants>(catalog, gpu, row);
}

KernelTime mlaDecode(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredMlaDecode(row);
    return isSerial(gpu)
               ? mlaSerialDecodeTime(gpu.figures, mlaSerialConstants(catalog, gpu, row).constants, shape)
               : mlaDecodeTime(gpu.figures, mlaDecodeConstants(catalog, gpu, row).constants, shape);
}

const auto& mlaPrefillConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto framework = gpu.arch == "ampere" ? std::string_view("trtllm") : row.text("kernel");
    return catalog.mlaPrefill.require({gpu.arch, framework, row.text("format")});
}

KernelTime mlaPrefill(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return mlaPrefillTime(gpu.figures, mlaPrefillConstants(catalog, gpu, row).constants,
                          measuredMlaPrefill(row));
}

const auto& mlaAbsorptionConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto step = row.text("op").substr(8); // behind "mla_bmm_"
    return catalog.mlaAbsorption.require({gpu.arch, row.text("kernel"), row.text("format"), step});
}

KernelTime mlaAbsorption(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return mlaAbsorptionTime(gpu.figures, mlaAbsorptionConstants(catalog, gpu, row).constants,
                             measuredMlaAbsorption(row));
}

const auto& deepEpLowLatencyRow(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.deepEpLowLatency.require({gpu.arch, isDispatch(row) ? "dispatch" : "combine"});
}

KernelTime deepEpLowLatency(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto shape = measuredDeepEp(row);
    return deepEpLowLatencyTime(gpu.figures, deepEpLowLatencyRow(catalog, gpu, row).constants, shape);
}

const auto& deepEpNormalRow(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.deepEpNormal.require({gpu.arch, isDispatch(row) ? "dispatch" : "combine"});
}

KernelTime deepEpNormal(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    auto shape = measuredDeepEp(row);
    shape.processors = row.number("sms");
    if (shape.processors < 1)
        throwInvalid("column sms", "it is 0, and " + std::string(row.text("op")) + " needs it");
    return deepEpNormalTime(gpu.figures, deepEpNormalRow(catalog, gpu, row).constants, shape);
}

const auto& nvlinkAllToAllConstants(const KernelCatalog& catalog, const Gpu&, const MeasuredRow& row) {
    auto step = row.text("op").substr(9); // behind "alltoall_"
    if (step == "combine" && isInLowPrecision(row))
        step = "combine_low_precision";
    return catalog.nvlinkAllToAll.require({row.text("kernel"), step});
}

KernelTime nvlinkAllToAll(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return nvlinkAllToAllTime(gpu.figures, nvlinkAllToAllConstants(catalog, gpu, row).constants,
                              measuredNvlink(row));
}

const auto& linearConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto framework = row.text(row.form() == MeasuredForm::Experts ? "kernel" : "framework");
    const auto measured = measuredLinear(row);
    return catalog.linearAttentionFor(gpu, framework, measured.op, measured.decodes);
}

KernelTime linearAttention(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto [op, decodes, shape] = measuredLinear(row);
    return linearAttentionTime(gpu.figures, linearConstants(catalog, gpu, row).constants, op, decodes, shape,
                               false);
}

const auto& encoderConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return catalog.encoderAttention.require({gpu.arch, row.text("framework")});
}

KernelTime encoderAttention(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    return encoderAttentionTime(gpu.figures, encoderConstants(catalog, gpu, row).constants,
                                measuredEncoder(row));
}

const auto& moduleConstants(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto module = measuredModule(row);
    const auto name = row.text("op").substr(0, 3), framework = row.text("framework");
    if (module.step.dense)
        return catalog.attentionModule.require({gpu.arch, framework, name, "any", "dense"});
    return catalog.moduleFor(gpu, framework, name, module.step.kvBytes < 2.0, module.phase);
}

KernelTime moduleOf(const KernelCatalog& catalog, const Gpu& gpu, const MeasuredRow& row) {
    const auto module = measuredModule(row);
    checkModuleStep(module.step, catalog.attentionModule.where);
    return moduleTime(gpu.figures, moduleConstants(catalog, gpu, row).constants, module.widths, module.step);
}

constexpr std::array<Operation, 10> kKernelOperations{
    {{"gemm", gemm, ownPlace<gemmConstants>},
     {"attention_context", context, ownPlace<contextConstants>},
     {"attention_generation", generation, ownPlace<generationConstants>},
     {"allreduce", allReduce, place<allReduceConstants>},
     {"nccl_all_reduce", nccl, place<ncclConstants>},
     {"nccl_all_gather", nccl, place<ncclConstants>},
     {"nccl_reduce_scatter", nccl, place<ncclConstants>},
     {"nccl_alltoall", nccl, place<ncclConstants>},
     {"cast_fp8", castFp8, place<elementwiseConstants>},
     {"copy", copy, place<elementwiseConstants>}}};

constexpr std::array<Operation, 14> kModuleOperations{
    {{"dsa_context", moduleOf, ownPlace<moduleConstants>},
     {"dsa_context_dense", moduleOf, ownPlace<moduleConstants>},
     {"dsa_generation", moduleOf, ownPlace<moduleConstants>},
     {"csa_context", moduleOf, ownPlace<moduleConstants>},
     {"csa_generation", moduleOf, ownPlace<moduleConstants>},
     {"hca_context", moduleOf, ownPlace<moduleConstants>},
     {"hca_generation", moduleOf, ownPlace<moduleConstants>},
     {"encoder_attention", encoderAttention, place<encoderConstants>},
     {"gdn_rule_c", linearAttention, place<linearConstants>},
     {"gdn_rule_g", linearAttention, place<linearConstants>},
     {"gdn_conv_c", linearAttention, place<linearConstants>},
     {"gdn_conv_g", linearAttention, place<linearConstants>},
     {"mamba2_scan_c", linearAttention, place<linearConstants>},
     {"mamba2_conv_g", linearAttention, place<linearConstants>}}};

constexpr std::array<Operation, 15> kExpertOperations{
    {{"moe", experts, place<expertConstants>},
     {"mla_decode", mlaDecode, mlaDecodePlace},
     {"mla_prefill", mlaPrefill, place<mlaPrefillConstants>},
     {"mla_bmm_pre", mlaAbsorption, place<mlaAbsorptionConstants>},
     {"mla_bmm_post", mlaAbsorption, place<mlaAbsorptionConstants>},
     {"deepep_ll_dispatch", deepEpLowLatency, place<deepEpLowLatencyRow>},
     {"deepep_ll_combine", deepEpLowLatency, place<deepEpLowLatencyRow>},
     {"deepep_normal_dispatch", deepEpNormal, place<deepEpNormalRow>},
     {"deepep_normal_combine", deepEpNormal, place<deepEpNormalRow>},
     {"alltoall_dispatch", nvlinkAllToAll, place<nvlinkAllToAllConstants>},
     {"alltoall_combine", nvlinkAllToAll, place<nvlinkAllToAllConstants>},
     {"gdn_decode_core", linearAttention, place<linearConstants>},
     {"gdn_prefill_core", linearAttention, place<linearConstants>},
     {"gdn_decode_conv", linearAttention, place<linearConstants>},
     {"gdn_prefill_conv", linearAttention, place<linearConstants>}}};

std::span<const Operation> operationsOf(MeasuredForm form) {
    if (form == MeasuredForm::Kernels)
        return kKernelOperations;
    if (form == MeasuredForm::Modules)
        return kModuleOperations;
    return kExpertOperations;
}

const Operation& operationOf(const MeasuredRow& row) {
    std::vector<std::string_view> there;
    for (const auto& operation : operationsOf(row.form())) {
        if (operation.name == row.text("op"))
            return operation;
        there.push_back(operation.name);
    }
    throw Error(ErrorCode::NotFound, "column op", "unknown operation " + quotedPiece(row.text("op")),
                "Allowed: " + joined(there));
}

} // namespace

KernelTime predictRow(const KernelCatalog& catalog, const MeasuredRow& row) {
    return operationOf(row).predict(catalog, catalog.gpu(row.text("device")), row);
}

ConstantsPlace constantsPlace(const KernelCatalog& catalog, const MeasuredRow& row) {
    return operationOf(row).place(catalog, catalog.gpu(row.text("device")), row);
}

} // namespace heteroscape::engine
