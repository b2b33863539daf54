// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/kernel_catalog.h"

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<LinearAttentionConstants>, 6> kFields{{
    {"t_0", &LinearAttentionConstants::start, 0, 1e5},
    {"k_m", &LinearAttentionConstants::memory, 0, 1e4},
    {"k_l", &LinearAttentionConstants::flat, 0, 1e4},
    {"k_c", &LinearAttentionConstants::tensor, 0, 1e4},
    {"t_c", &LinearAttentionConstants::chunkUs, 0, 1e4},
    {"t_b", &LinearAttentionConstants::requestUs, 0, 1e4},
}};

struct LinearWork {
    double bytes = 0.0, kept = 0.0; ///< Q; those of which the cache may hold a share
    double flops = 0.0, chunks = 0.0;
};

LinearWork convolution(double channels, const LinearAttentionShape& s, bool decodes) {
    const double bytes = decodes ? 16 * s.requests * channels : 4 * s.requests * s.tokens * channels;
    return {bytes, bytes};
}

LinearWork deltaRule(const LinearAttentionShape& s, bool decodes) {
    constexpr double kHead = 128.0, kChunk = 64.0;
    const double state = kHead * kHead * s.valueHeads;
    if (decodes)
        return {8 * s.requests * state + 2 * s.requests * kHead * (2 * s.keyHeads + s.valueHeads),
                4 * s.requests * state};
    const double chunks = ceilDivided(s.tokens, kChunk);
    const double bytes = 2 * kHead * s.requests * s.tokens * (2 * s.keyHeads + 2 * s.valueHeads) +
                         4 * s.requests * chunks * state;
    const double flops =
        kChunk * s.requests * chunks * s.valueHeads * (8 * kChunk * kHead + 6 * kHead * kHead);
    return {bytes, bytes, flops, chunks};
}

LinearWork mamba2Scan(const LinearAttentionShape& s) {
    constexpr double kHead = 64.0;
    const double chunks = ceilDivided(s.tokens, s.chunk);
    const double bytes = 2 * s.requests * s.tokens * (2 * kHead * s.valueHeads + 2 * s.keyHeads * s.state) +
                         8 * s.requests * chunks * kHead * s.valueHeads * s.state;
    const double flops = s.requests * chunks * s.chunk * s.valueHeads *
                         (s.chunk * s.state + kHead * s.chunk + 6 * kHead * s.state);
    return {bytes, bytes, flops, chunks};
}

LinearWork workOf(LinearAttentionOp op, const LinearAttentionShape& s, bool decodes) {
    switch (op) {
    case LinearAttentionOp::DeltaRule:
        return deltaRule(s, decodes);
    case LinearAttentionOp::DeltaConvolution:
        return convolution(128 * (2 * s.keyHeads + s.valueHeads), s, decodes);
    case LinearAttentionOp::Mamba2Scan:
        return mamba2Scan(s);
    case LinearAttentionOp::Mamba2Convolution:
        return convolution(64 * s.valueHeads + 2 * s.keyHeads * s.state, s, decodes);
    }
    return {};
}

} // namespace

std::span<const ConstantField<LinearAttentionConstants>> LinearAttentionConstants::fields() {
    return kFields;
}

std::string_view linearAttentionName(LinearAttentionOp op) {
    constexpr std::array<std::string_view, 4> names{"gdn_rule", "gdn_conv", "mamba2_scan", "mamba2_conv"};
    return names[static_cast<std::size_t>(op)];
}

std::string_view linearAttentionPhase(bool decodes) {
    return decodes ? "generation" : "context";
}

KernelTime linearAttentionTime(const GpuFigures& gpu, const LinearAttentionConstants& c, LinearAttentionOp op,
                               bool decodes, const LinearAttentionShape& shape, bool cold) {
    const auto work = workOf(op, shape, decodes);
    const double missed = cold ? 1.0 : 1.0 - residency(work.kept, 1.0, gpu.l2Mb);
    const double start = c.start + (decodes ? 0.0 : c.requestUs * shape.requests);
    const double memory = (c.memory * missed + c.flat) * work.bytes / gpu.memoryBytesPerUs();
    const double products = c.tensor * work.flops / gpu.flopPerUs(Rate::Bf16);
    const double walk = c.chunkUs * work.chunks;
    KernelParts parts;
    parts.add(KernelBound::Launch, start);
    parts.add(KernelBound::Tensor, products);
    parts.add(KernelBound::Memory, memory);
    parts.add(KernelBound::Latency, walk);
    return {start + memory + products + walk, parts.largest()};
}

} // namespace heteroscape::engine
