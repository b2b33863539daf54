// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/attention_generation.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<AttentionGenerationConstants>, 7> kGenerationFields{{
    {"t_0", &AttentionGenerationConstants::start, 0, 1e4},
    {"t_u", &AttentionGenerationConstants::unit, 0, 1e4},
    {"t_h", &AttentionGenerationConstants::head, 0, 1e4},
    {"e_m", &AttentionGenerationConstants::memoryShare, 1e-6, 2},
    {"h_a", &AttentionGenerationConstants::cacheShare, 1e-6, 1e3},
    {"t_l", &AttentionGenerationConstants::split, 0, 1e4},
    {"r_c", &AttentionGenerationConstants::digest, 1e-6, 1e6},
}};

} // namespace

std::span<const ConstantField<AttentionGenerationConstants>> AttentionGenerationConstants::fields() {
    return kGenerationFields;
}

KernelTime attentionGenerationTime(const GpuFigures& gpu, const AttentionGenerationConstants& c,
                                   const AttentionGenerationShape& shape, bool cold) {
    const double length = shape.window > 0 ? std::min(shape.cached, shape.window) : shape.cached;
    const double bytes = shape.batch * (2 * length * shape.kvHeads * shape.headSize * shape.kvBytes +
                                        4 * shape.heads * shape.headSize);
    const double held = cold ? 0.0 : residency(bytes, c.cacheShare, gpu.l2Mb);
    const double memory = bytes * (1 - held) / (gpu.memoryBytesPerUs() * c.memoryShare);
    const double units = shape.batch * (shape.kvHeads * c.unit + shape.heads * c.head) / gpu.sms;
    const double digested = bytes / (gpu.sms * c.digest * gpu.clockGhz * 1e3);
    const double compute = units + digested;
    const double body = std::sqrt(compute * compute + memory * memory);
    const double split = c.split * length / (length + 1024);

    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(KernelBound::Latency, split);
    parts.add(memory >= compute   ? KernelBound::Memory
              : digested >= units ? KernelBound::Operands
                                  : KernelBound::Latency,
              body);
    return {c.start + body + split, parts.largest()};
}

} // namespace heteroscape::engine
