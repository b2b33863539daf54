// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// Constants by kernel ("NVLinkTwoSided") and step ("dispatch", "combine", "combine_low_precision"): times in
/// us or ns as named, the others shares.
struct NvlinkAllToAllConstants {
    double start = 0.0, linkShare = 0.0, doublingUs = 0.0, tokenNs = 0.0, overlap = 1.0;

    static constexpr std::array<std::string_view, 2> kKeys{"kernel", "step"};
    static std::span<const ConstantField<NvlinkAllToAllConstants>> fields();
};

struct NvlinkAllToAllShape {
    double tokens = 1; ///< of one rank
    double hidden = 1, chosen = 1, ranks = 2;
    double elementBytes = 2; ///< 2, or 1 in low precision
};

/// TensorRT-LLM's all-to-all in an NVLink domain (moe_parallel.md, section 9.3):
///   t = t0 + cl log2 ep + ((T_r phi(k, ep) d bytes/(e N_l))^p + (ct T_r)^p)^(1/p)
KernelTime nvlinkAllToAllTime(const GpuFigures& gpu, const NvlinkAllToAllConstants& constants,
                              const NvlinkAllToAllShape& shape);

} // namespace heteroscape::engine
