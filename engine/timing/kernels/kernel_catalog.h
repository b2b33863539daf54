// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/all_reduce.h"
#include "engine/timing/kernels/attention_context.h"
#include "engine/timing/kernels/attention_module.h"
#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gemm.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"
#include "engine/timing/kernels/mla.h"
#include "engine/timing/kernels/moe.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Constants by architecture, framework, op (the name of a LinearAttentionOp) and phase ("context",
/// "generation"): t in us, k multiples of the time at peak.
struct LinearAttentionConstants {
    double start = 0.0, memory = 0.0, flat = 0.0, tensor = 0.0, chunkUs = 0.0, requestUs = 0.0;

    static constexpr std::array<std::string_view, 4> kKeys{"arch", "framework", "op", "phase"};
    static std::span<const ConstantField<LinearAttentionConstants>> fields();
};

/// Kernels of layers with a state: the gated delta rule and its convolution, in both phases; of Mamba-2 the
/// scan of prompts and the convolution of a decode.
enum class LinearAttentionOp { DeltaRule, DeltaConvolution, Mamba2Scan, Mamba2Convolution };
std::string_view linearAttentionName(LinearAttentionOp op); ///< "gdn_rule", "gdn_conv", "mamba2_scan", ...
std::string_view linearAttentionPhase(bool decodes);        ///< "context" or "generation"

/// One layer of one device.
struct LinearAttentionShape {
    double requests = 1;
    double tokens = 1;                   ///< new ones of a request; 1 where it decodes
    double valueHeads = 1, keyHeads = 1; ///< of 128; of Mamba-2 heads of 64, and groups
    double state = 128, chunk = 64;      ///< of Mamba-2; the delta rule's are these
};

/// silicon_more.md, section B4: with Q bytes, of which the cache holds a share `hot`, F FLOPs, and chunks of
/// a prompt that wait for each other:
///   t = t_0 + (k_m (1 - hot) + k_l) Q/BW + k_c F/P16 + t_c chunks + t_b requests, the last two of prompts
/// `cold`: nothing is in a cache, as in a serving step; else the loop of measured rows.
KernelTime linearAttentionTime(const GpuFigures& gpu, const LinearAttentionConstants& constants,
                               LinearAttentionOp op, bool decodes, const LinearAttentionShape& shape,
                               bool cold = true);

/// Which kernel serves a format: without a name, or behind an all-to-all in a phase ("prefill", "decode").
struct MoeKernelChoice {
    std::string arch, format, phase, kernel;
};

/// The frameworks in the order in which one stands in for another that has no constants (section 2).
inline constexpr std::array<std::string_view, 3> kKernelFrameworks{"trtllm", "vllm", "sglang"};

/// Everything that kernels are timed with: presets/kernels/. Read once, then only read.
struct KernelCatalog {
    std::uint64_t fingerprint = 0; ///< of all files: keys of points hold it
    std::vector<Architecture> architectures;
    std::vector<Gpu> gpus;
    GemmTiles gemmTiles;
    ConstantsTable<GemmConstants> gemm;
    ConstantsTable<AttentionContextConstants> attentionContext;
    ConstantsTable<AttentionGenerationConstants> attentionGeneration;
    ConstantsTable<AllReduceConstants> allReduce;
    ConstantsTable<NcclConstants> nccl;
    ConstantsTable<ElementwiseConstants> elementwise;
    ConstantsTable<MoeConstants> moe;
    std::vector<MoeFormat> moeFormats;
    std::vector<MoeKernelChoice> moeDefaults, moeBehindAllToAll;
    ConstantsTable<MlaDecodeConstants> mlaDecode;
    ConstantsTable<MlaSerialConstants> mlaSerialDecode;
    ConstantsTable<MlaPrefillConstants> mlaPrefill;
    ConstantsTable<MlaAbsorptionConstants> mlaAbsorption;
    ConstantsTable<DeepEpLowLatencyConstants> deepEpLowLatency;
    ConstantsTable<DeepEpNormalConstants> deepEpNormal;
    ConstantsTable<NvlinkAllToAllConstants> nvlinkAllToAll;
    ConstantsTable<LinearAttentionConstants> linearAttention;
    ConstantsTable<EncoderAttentionConstants> encoderAttention;
    ConstantsTable<ModuleConstants> attentionModule;

    // Each throws Error (NotFound) naming what is missing and what there is, or what is not native.
    const Gpu& gpu(std::string_view id) const;
    const Architecture& architecture(std::string_view id) const;
    const MoeFormat& moeFormat(std::string_view id) const;
    /// Throws (InvalidInput) where the device's tensor cores do not multiply at that rate.
    void requireNative(const Gpu& gpu, Rate rate) const;
    /// The framework's own constants, else those of the first framework that has them. Of attention over a
    /// latent cache, experts and the gated delta rule, of which not every architecture was measured, also
    /// those of another that stands in for the device's.
    const FittedConstants<GemmConstants>& gemmFor(const Gpu& gpu, std::string_view framework,
                                                  std::string_view precision) const;
    const FittedConstants<AttentionContextConstants>& attentionContextFor(const Gpu& gpu,
                                                                          std::string_view framework,
                                                                          std::string_view attention,
                                                                          std::string_view kvCache) const;
    const FittedConstants<AttentionGenerationConstants>& attentionGenerationFor(const Gpu& gpu,
                                                                                std::string_view framework,
                                                                                std::string_view kvCache,
                                                                                bool grouped) const;
    const FittedConstants<MlaDecodeConstants>& mlaDecodeFor(const Gpu& gpu, std::string_view framework,
                                                            bool fp8Cache) const;
    /// Null where the keys of a request are split over SMs, as everywhere but on Ampere and where that stands
    /// in.
    const FittedConstants<MlaSerialConstants>* mlaSerialFor(const Gpu& gpu, bool fp8Cache) const;
    const FittedConstants<MlaPrefillConstants>& mlaPrefillFor(const Gpu& gpu, std::string_view framework,
                                                              bool fp8Cache) const;
    /// Of the bf16 products; `step`: "pre" or "post".
    const FittedConstants<MlaAbsorptionConstants>&
    mlaAbsorptionFor(const Gpu& gpu, std::string_view framework, std::string_view step) const;
    const FittedConstants<LinearAttentionConstants>&
    linearAttentionFor(const Gpu& gpu, std::string_view framework, LinearAttentionOp op, bool decodes) const;
    /// Of the device's own architecture alone; the names as ModuleConstants has them.
    const FittedConstants<ModuleConstants>& moduleFor(const Gpu& gpu, std::string_view framework,
                                                      std::string_view module, bool fp8Cache,
                                                      std::string_view phase) const;
    /// Of prompts within the kept keys; null where a framework takes one formula for all lengths.
    const FittedConstants<ModuleConstants>* denseModuleFor(const Gpu& gpu, std::string_view framework,
                                                           std::string_view module) const;
    /// The experts' kernel (moe_parallel.md, section 9.2): behind an all-to-all that of the phase ("prefill",
    /// "decode"); else, or where it has none, the framework's, else the default one. Of an architecture that
    /// stands in only a kernel whose products are native on the device, and at the format's own rate where
    /// that is.
    const FittedConstants<MoeConstants>& moeFor(const Gpu& gpu, std::string_view framework,
                                                std::string_view format, std::string_view phase = {}) const;

    /// A GEMM prepared for a device. Throws as above, and for a class of rate that the device has no peak of.
    GemmKernel gemmKernel(const Gpu& gpu, std::string_view framework, std::string_view precision) const;
};

/// Calls visit(id, table) for the table of each kernel family, in a fixed order; the id is its file's.
template <class Catalog, class Visit>
void visitFamilies(Catalog& catalog, Visit visit) {
    visit("gemm", catalog.gemm);
    visit("attention-context", catalog.attentionContext);
    visit("attention-generation", catalog.attentionGeneration);
    visit("all-reduce", catalog.allReduce);
    visit("nccl", catalog.nccl);
    visit("elementwise", catalog.elementwise);
    visit("moe", catalog.moe);
    visit("mla-decode", catalog.mlaDecode);
    visit("mla-decode-serial", catalog.mlaSerialDecode);
    visit("mla-prefill", catalog.mlaPrefill);
    visit("mla-absorption", catalog.mlaAbsorption);
    visit("deepep-low-latency", catalog.deepEpLowLatency);
    visit("deepep-normal", catalog.deepEpNormal);
    visit("nvlink-all-to-all", catalog.nvlinkAllToAll);
    visit("linear-attention", catalog.linearAttention);
    visit("encoder-attention", catalog.encoderAttention);
    visit("attention-module", catalog.attentionModule);
}

/// Throws Error (NotFound) when the device has no peak of that class: nothing stands in for it.
void requirePeak(const Gpu& gpu, Rate rate);

/// Reads <presets>/kernels/. Throws Error naming file and key.
KernelCatalog loadKernelCatalog(const std::string& presetsFolder);

/// That of this installation (findPresetsFolder()), read when it is first asked for and kept as long as the
/// program lives. A runtime that is timed with it asks when it is read, so that nothing is read later. Throws
/// as above. May be called from any thread.
const KernelCatalog& shippedKernels();

} // namespace heteroscape::engine
