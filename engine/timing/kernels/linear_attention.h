// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

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

} // namespace heteroscape::engine
