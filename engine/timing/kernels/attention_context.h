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

/// Constants by architecture, framework, attention type and cache type. t_0, t_u in us, e_x in clocks per
/// score element at 16 exponentials per clock, the others are shares.
struct AttentionContextConstants {
    double start = 0.0, unit = 0.0, tensorShare = 0.0, exponential = 0.0, memoryShare = 0.0;
    double windowFactor = 0.0, cacheShare = 0.0, keyPasses = 0.0;

    static constexpr std::array<std::string_view, 4> kKeys{"arch", "framework", "attention", "kv_cache"};
    static std::span<const ConstantField<AttentionContextConstants>> fields();
};

/// `batch` sequences of `tokens` new tokens each, after `cached` ones; counts of one device.
struct AttentionContextShape {
    double batch = 1, tokens = 1, heads = 1, kvHeads = 1, headSize = 128;
    double window = 0; ///< 0: none
    double cached = 0;
    bool fp8 = false; ///< arithmetic in fp8, else bf16
    double kvBytes = 2;
};

/// Causal attention over new tokens (silicon_kernels.md, section 3):
///   t_tot  = b H (nq t_u + blocks t_blk) / S                 throughput
///   t_crit = t_u + c t_blk                                   one block of threads from start to end
///   t      = t_0 + sqrt(t_tot^2 + t_crit^2) + bytes (1 - res(bytes, h_a)) / (HBM e_m)
/// with blocks of 128 x 128 scores, t_blk = 16384 min(1, s/128) (4 d / R + e_x 16 / (X f)), times e_w in a
/// window. The prefix is that section's extension, not measured. `cold`: the inputs are in no cache, as in a
/// serving step; else the loop of measured rows. The device must have a peak for the arithmetic.
KernelTime attentionContextTime(const GpuFigures& gpu, const AttentionContextConstants& constants,
                                const AttentionContextShape& shape, bool cold = true);

/// Of attention without a mask, by architecture and framework: t_0 in us, the others multiples of the time at
/// peak; k_64, k_72, k_80 by the size of a head.
struct EncoderAttentionConstants {
    double start = 0.0, memory = 0.0, by64 = 0.0, by72 = 0.0, by80 = 0.0;

    static constexpr std::array<std::string_view, 2> kKeys{"arch", "framework"};
    static std::span<const ConstantField<EncoderAttentionConstants>> fields();
};

/// Of `batch` pictures of `tokens` patches each, as many key as query heads.
struct EncoderAttentionShape {
    double batch = 1, tokens = 1, heads = 1, headSize = 64;
};

/// Attention of encoders in 16 bits (silicon_more.md, section B3):
///   t = t_0 + k_m 8 b s H d/BW + k_d 4 b s^2 H d/P16
/// Throws Error (InvalidInput) for a head of another size.
KernelTime encoderAttentionTime(const GpuFigures& gpu, const EncoderAttentionConstants& constants,
                                const EncoderAttentionShape& shape);

} // namespace heteroscape::engine
