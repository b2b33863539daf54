// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/elementwise.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<ElementwiseConstants>, 4> kElementwiseFields{{
    {"t_0", &ElementwiseConstants::start, 0, 1e4},
    {"e_m", &ElementwiseConstants::memoryShare, 1e-6, 2},
    {"r_e", &ElementwiseConstants::bytesPerClock, 1e-6, 1e6},
    {"h_e", &ElementwiseConstants::cacheShare, 1e-6, 1e3},
}};

} // namespace

std::span<const ConstantField<ElementwiseConstants>> ElementwiseConstants::fields() {
    return kElementwiseFields;
}

KernelTime elementwiseTime(const GpuFigures& gpu, const ElementwiseConstants& c, double bytes,
                           double footprintBytes) {
    const double held = footprintBytes == kCold ? 0.0 : residency(footprintBytes, c.cacheShare, gpu.l2Mb);
    const double memory = bytes * (1 - held) / (gpu.memoryBytesPerUs() * c.memoryShare);
    const double operands = bytes / (gpu.sms * c.bytesPerClock * gpu.clockGhz * 1e3);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(memory >= operands ? KernelBound::Memory : KernelBound::Operands, std::max(memory, operands));
    return {c.start + std::max(memory, operands), parts.largest()};
}

} // namespace heteroscape::engine
