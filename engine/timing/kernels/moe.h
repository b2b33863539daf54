// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gemm.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

#include <string>

namespace heteroscape::engine {

/// What goes through DeepEP on each rank.
struct DeepEpShape {
    double tokens = 1; ///< T_r, of one rank
    double hidden = 1, chosen = 1, experts = 1;
    double nodes = 1;
    double ranksPerNode = 8; ///< fewer in one node only
    bool dispatch = true;    ///< fp8 with a scale for 128; else combine, bf16
    double processors = 24;  ///< SMs that a normal kernel may take

    double ranks() const { return ranksPerNode * nodes; }
};

/// Constants by architecture and step ("dispatch", "combine"): times in us or ns as named, the others shares.
struct DeepEpLowLatencyConstants {
    double start = 0.0, nodeUs = 0.0, linkShare = 0.0, networkShare = 0.0, expertNs = 0.0, receivedNs = 0.0,
           overlap = 1.0;

    static constexpr std::array<std::string_view, 2> kKeys{"arch", "step"};
    static std::span<const ConstantField<DeepEpLowLatencyConstants>> fields();
};

/// Constants by architecture and step; `processor` in GB/s of one SM.
struct DeepEpNormalConstants {
    double start = 0.0, nodeUs = 0.0, linkShare = 0.0, networkShare = 0.0, processor = 0.0, overlap = 1.0;

    static constexpr std::array<std::string_view, 2> kKeys{"arch", "step"};
    static std::span<const ConstantField<DeepEpNormalConstants>> fields();
};

/// Low-latency dispatch or combine (moe_parallel.md, section 9.3), R = l n ranks,
/// y = d (1 + 1/32) + 16 (dispatch) or 2 d (combine) bytes:
///   t = t0 + tn log2 n + ce E + ((T_r k y l/R / (e_l N_l))^p + (cs T_r R k/E d/4096)^p
///       + (T_r k y (1 - l/R)/(e_w N_w))^p)^(1/p)
KernelTime deepEpLowLatencyTime(const GpuFigures& gpu, const DeepEpLowLatencyConstants& constants,
                                const DeepEpShape& shape);

/// Normal dispatch or combine (section 9.3), z processors, y without the 16:
///   t = t0 + tn log2 n + ((T_r phi(k, min(R, E)) y/(e_l N_l))^p + (T_r phi y/(z csm))^p
///       + (T_r min(n, 4, phi(k, n)) (n-1)/n y/(e_w N_w))^p)^(1/p)
/// Without the exchange of sizes: deepEpSizeExchangeUs().
KernelTime deepEpNormalTime(const GpuFigures& gpu, const DeepEpNormalConstants& constants,
                            const DeepEpShape& shape);

/// What normal kernels across nodes take before their dispatch: 12 + 24 log2 n us, nothing within a node.
double deepEpSizeExchangeUs(double nodes);

/// How the weights of experts are kept: bytes an element with scales, and the rate of their products.
struct MoeFormat {
    std::string id; ///< "bf16", "nvfp4", "mxfp4a8" (mxfp8 activations), ...
    double weightBytes = 2.0;
    Rate rate = Rate::Bf16;
};

/// Constants by architecture and kernel. t0 in us, te in ns for each local expert, ca and cg passes over
/// activations, nh pairs that an expert loses to half-filled tiles, p the overlap of weights and products.
struct MoeConstants {
    double pad = 1.0; ///< width is rounded up to it
    double start = 0.0, memoryShare = 0.0, tensorShare = 0.0, ownPasses = 0.0, expertNs = 0.0, overlap = 1.0;
    double seenPasses = 0.0, halfTiles = 0.0;
    std::string format;        ///< what it was measured in
    bool onlyReceived = false; ///< behind a low-latency dispatch: sees this rank's pairs only (Z = A)

    static constexpr std::array<std::string_view, 2> kKeys{"arch", "kernel"};
    static std::span<const ConstantField<MoeConstants>> fields();
    static void readMore(MoeConstants& constants, JsonObject& entry);
};

/// The experts of one layer on one rank.
struct MoeShape {
    double hidden = 1;
    double width = 1;    ///< of one expert on this rank: inter / etp
    double matrices = 3; ///< 3 gated, 2 plain
    double localExperts = 1;
    double pairs = 0;   ///< A: token-expert pairs of this rank
    double touched = 0; ///< U: distinct experts touched on this rank
    double seen = 0;    ///< Z: pairs that pass through routing and the final sum
};

/// Mixture of experts (moe_parallel.md, section 9.2), w' = w rounded up to the pad:
///   t_w = U m d w' beta / (eta C_mem)          t_c = 2 m d w' (A + nh U) / (eps C_tc)
///   t_x = (ca A (2 d + 3 w) + cg Z d) 2 B / C_mem
///   t   = t0 + (t_w^p + t_c^p)^(1/p) + t_x + te E/ep
/// The device must have a peak for the format's rate.
KernelTime moeTime(const GpuFigures& gpu, const MoeConstants& constants, const MoeFormat& format,
                   const MoeShape& shape);

/// A GEMM with weights that are unpacked to bf16 on their way, `weightBytes` an element: one expert that all
/// rows go through, by the constants of Marlin's experts, without their routing. In one launch,
///   t = launch + (t_w^p + t_c^p)^(1/p) + 2 (m k + m n) / C_mem
/// t_w and t_c as above with one expert and one matrix. An assumption: no GEMM alone was measured.
KernelTime unpackingGemmTime(const GpuFigures& gpu, const MoeConstants& constants, double weightBytes,
                             double launchUs, const GemmShape& shape);

} // namespace heteroscape::engine
