// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// Constants by link and framework: a, b, c in us, e and nv shares, kx the exponent of contention on PCIe.
struct AllReduceConstants {
    double a0 = 0.0, a1 = 0.0, e1 = 0.0; ///< one step: everyone reads everyone's
    double b0 = 0.0, b1 = 0.0, e2 = 0.0; ///< two steps: reduce, then gather
    double c0 = 0.0, c1 = 0.0, e3 = 0.0; ///< bulk
    double nv = 0.0;                     ///< traffic of a reduction in the switch, from 8 ranks; 0: none
    double kx = 0.0;

    static constexpr std::array<std::string_view, 2> kKeys{"link", "framework"};
    static std::span<const ConstantField<AllReduceConstants>> fields();
};

/// A framework's all-reduce within one NVLink or PCIe domain (silicon_kernels.md, section 5), the least of
///   one  = a_0 + a_1 (P-1)       + (P-1) n / (e_1 LP)
///   two  = a_0 + b_0 + b_1 (P-1) + ring n / (e_2 LP)
///   bulk = a_0 + c_0 + c_1 (P-1) + q n / (e_3 LP)
/// LP = LK 1000 (2/P)^k_x bytes per us, ring = 2 (P-1)/P, q = n_v from 8 ranks on where it is set, else ring.
/// n bytes a rank, P whole from 1; nothing for one rank. Measured: 2, 4, 8 ranks.
KernelTime allReduceTime(const GpuFigures& gpu, const AllReduceConstants& constants, double ranks,
                         double bytes);

/// LP: what one rank sends, bytes per us.
double linkBytesPerUs(const GpuFigures& gpu, double ranks, double contention);

} // namespace heteroscape::engine
