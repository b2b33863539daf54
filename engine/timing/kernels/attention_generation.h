// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// Constants by architecture, framework, cache type and kind ("mha": as many KV heads as query heads, else
/// "gqa"). t_0, t_u, t_h, t_l in us, r_c in bytes per clock and SM, the others are shares.
struct AttentionGenerationConstants {
    double start = 0.0, unit = 0.0, head = 0.0, memoryShare = 0.0, cacheShare = 0.0, split = 0.0,
           digest = 0.0;

    static constexpr std::array<std::string_view, 4> kKeys{"arch", "framework", "kv_cache", "kind"};
    static std::span<const ConstantField<AttentionGenerationConstants>> fields();
};

/// One new token for each of `batch` sequences with `cached` tokens; counts of one device.
struct AttentionGenerationShape {
    double batch = 1, cached = 1, heads = 1, kvHeads = 1, headSize = 128;
    double window = 0; ///< 0: none
    double kvBytes = 2;
};

/// Attention of the generation phase (silicon_kernels.md, section 4), L = min(s, w) in a window, else s:
///   bytes = b (2 L G d kb + 4 H d)
///   t_cmp = b (G t_u + H t_h) / S + bytes / (S r_c f 1000)
///   t     = t_0 + sqrt(t_cmp^2 + t_mem^2) + t_L L / (L + 1024),   t_mem = bytes (1 - res) / (HBM e_m)
/// `cold` as in attentionContextTime().
KernelTime attentionGenerationTime(const GpuFigures& gpu, const AttentionGenerationConstants& constants,
                                   const AttentionGenerationShape& shape, bool cold = true);

} // namespace heteroscape::engine
