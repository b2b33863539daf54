// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// Constants by architecture: times in us, the others shares.
struct GatedDeltaConstants {
    double decodeStart = 0.0, decodeMemory = 0.0;
    double prefillStart = 0.0, prefillTensor = 0.0, prefillMemory = 0.0, prefillOverlap = 1.0, chunkUs = 0.0;
    double prefillConvolution = 0.0, prefillConvolutionMemory = 0.0;
    double decodeConvolution = 0.0, decodeConvolutionMemory = 0.0;

    static constexpr std::array<std::string_view, 1> kKeys{"arch"};
    static std::span<const ConstantField<GatedDeltaConstants>> fields();
};

/// One layer of one device; heads of 128.
struct GatedDeltaShape {
    double requests = 1;
    double tokens = 1; ///< q, new ones of a request, in prefill
    double valueHeads = 1, keyHeads = 1;
};

/// The gated delta rule (moe_parallel.md, section 9.3), the rule alone, without its convolution:
///   decode   t0 + (b H_v 128 128 8 + b (2 H_k + 2 H_v) 128 2)/(eta C_mem)
///   prefill  t0 + ((64 b C H_v (6 h_k h_v + 640 h_k)/(eps C_bf16))^p
///              + ((b q (2 H_k + 2 H_v) 128 2 + b (C+1) H_v 128 128 8)/(eta C_mem))^p
///              + (cc C max(1, b H_v/132))^p)^(1/p),   C = ceil(q/64)
KernelTime gatedDeltaDecodeTime(const GpuFigures& gpu, const GatedDeltaConstants& constants,
                                const GatedDeltaShape& shape);
KernelTime gatedDeltaPrefillTime(const GpuFigures& gpu, const GatedDeltaConstants& constants,
                                 const GatedDeltaShape& shape);

/// Its convolution: c0 + b q (2 H_k + H_v) 128 4/(ce C_mem); q = 1 in decode, which has constants of its own.
KernelTime gatedDeltaConvolutionTime(const GpuFigures& gpu, const GatedDeltaConstants& constants,
                                     const GatedDeltaShape& shape, bool decode);

} // namespace heteroscape::engine
