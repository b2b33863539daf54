// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
