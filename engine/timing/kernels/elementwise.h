// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// Constants by architecture: t_0 in us, r_e in bytes per clock and SM, the others are shares.
struct ElementwiseConstants {
    double start = 0.0, memoryShare = 0.0, bytesPerClock = 0.0, cacheShare = 0.0;

    static constexpr std::array<std::string_view, 1> kKeys{"arch"};
    static std::span<const ConstantField<ElementwiseConstants>> fields();
};

/// A streaming kernel (silicon_kernels.md, section 6), bytes = read + written:
///   t = t_0 + bytes max((1 - res(F, h_e)) / (HBM e_m), 1 / (S r_e f 1000))
/// Measured as a cast from bf16 to fp8; norms, activations, rotary embeddings by their bytes are an
/// assumption. F: bytes touched since the input was produced.
KernelTime elementwiseTime(const GpuFigures& gpu, const ElementwiseConstants& constants, double bytes,
                           double footprintBytes = kCold);

} // namespace heteroscape::engine
