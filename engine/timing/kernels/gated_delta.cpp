// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/gated_delta.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<GatedDeltaConstants>, 11> kGatedDeltaFields{{
    {"decode_t0_us", &GatedDeltaConstants::decodeStart, 0, 1e5},
    {"decode_eta", &GatedDeltaConstants::decodeMemory, 1e-6, 2},
    {"prefill_t0_us", &GatedDeltaConstants::prefillStart, 0, 1e5},
    {"prefill_eps", &GatedDeltaConstants::prefillTensor, 1e-6, 2},
    {"prefill_eta", &GatedDeltaConstants::prefillMemory, 1e-6, 2},
    {"prefill_p", &GatedDeltaConstants::prefillOverlap, 1, 64},
    {"prefill_us_per_chunk", &GatedDeltaConstants::chunkUs, 0, 1e4},
    {"conv_prefill_t0_us", &GatedDeltaConstants::prefillConvolution, 0, 1e5},
    {"conv_prefill_ce", &GatedDeltaConstants::prefillConvolutionMemory, 1e-6, 2},
    {"conv_decode_t0_us", &GatedDeltaConstants::decodeConvolution, 0, 1e5},
    {"conv_decode_ce", &GatedDeltaConstants::decodeConvolutionMemory, 1e-6, 2},
}};

constexpr double kHead = 128.0;        // width of a key or value head
constexpr double kChunk = 64.0;        // tokens
constexpr double kSerialHeads = 132.0; // value heads of all requests that work side by side

double streamed(const GpuFigures& gpu, double bytes, double share) {
    return bytes / (share * gpu.memoryBytesPerUs());
}

KernelTime launchAndMemory(double start, double memory) {
    return {start + memory, memory > start ? KernelBound::Memory : KernelBound::Launch};
}

} // namespace

std::span<const ConstantField<GatedDeltaConstants>> GatedDeltaConstants::fields() {
    return kGatedDeltaFields;
}

KernelTime gatedDeltaDecodeTime(const GpuFigures& gpu, const GatedDeltaConstants& c,
                                const GatedDeltaShape& shape) {
    const double bytes = shape.requests * (shape.valueHeads * kHead * kHead * 8 +
                                           (2 * shape.keyHeads + 2 * shape.valueHeads) * kHead * 2);
    return launchAndMemory(c.decodeStart, streamed(gpu, bytes, c.decodeMemory));
}

KernelTime gatedDeltaPrefillTime(const GpuFigures& gpu, const GatedDeltaConstants& c,
                                 const GatedDeltaShape& shape) {
    const double chunks = ceilDivided(shape.tokens, kChunk);
    const double flops =
        kChunk * shape.requests * chunks * shape.valueHeads * (6 * kHead * kHead + 10 * kChunk * kHead);
    const double products = flops / (c.prefillTensor * gpu.flopPerUs(Rate::Bf16));
    const double bytes =
        shape.requests * (shape.tokens * (2 * shape.keyHeads + 2 * shape.valueHeads) * kHead * 2 +
                          (chunks + 1) * shape.valueHeads * kHead * kHead * 8);
    const double memory = streamed(gpu, bytes, c.prefillMemory);
    const double walk = c.chunkUs * chunks * std::max(1.0, shape.requests * shape.valueHeads / kSerialHeads);
    const double body = powerNorm(c.prefillOverlap, products, memory, walk);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.prefillStart);
    parts.add(products >= std::max(memory, walk) ? KernelBound::Tensor
              : memory >= walk                   ? KernelBound::Memory
                                                 : KernelBound::Latency,
              body);
    return {c.prefillStart + body, parts.largest()};
}

KernelTime gatedDeltaConvolutionTime(const GpuFigures& gpu, const GatedDeltaConstants& c,
                                     const GatedDeltaShape& shape, bool decode) {
    const double bytes =
        shape.requests * (decode ? 1.0 : shape.tokens) * (2 * shape.keyHeads + shape.valueHeads) * kHead * 4;
    return decode ? launchAndMemory(c.decodeConvolution, streamed(gpu, bytes, c.decodeConvolutionMemory))
                  : launchAndMemory(c.prefillConvolution, streamed(gpu, bytes, c.prefillConvolutionMemory));
}

} // namespace heteroscape::engine
