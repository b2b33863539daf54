// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/attention_context.h"

#include "engine/units/number_text.h"

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

namespace {

constexpr std::array<ConstantField<AttentionContextConstants>, 8> kContextFields{{
    {"t_0", &AttentionContextConstants::start, 0, 1e4},
    {"t_u", &AttentionContextConstants::unit, 0, 1e4},
    {"e_c", &AttentionContextConstants::tensorShare, 1e-6, 2},
    {"e_x", &AttentionContextConstants::exponential, 0, 1e3},
    {"e_m", &AttentionContextConstants::memoryShare, 1e-6, 2},
    {"e_w", &AttentionContextConstants::windowFactor, 1e-3, 1e3},
    {"h_a", &AttentionContextConstants::cacheShare, 1e-6, 1e3},
    {"c_k", &AttentionContextConstants::keyPasses, 0, 1e3},
}};

constexpr double kBlock = 128.0; // queries, and keys, of one block

} // namespace

std::span<const ConstantField<AttentionContextConstants>> AttentionContextConstants::fields() {
    return kContextFields;
}

KernelTime attentionContextTime(const GpuFigures& gpu, const AttentionContextConstants& c,
                                const AttentionContextShape& shape, bool cold) {
    const double s = shape.tokens, p = shape.cached, w = shape.window;
    const double queries = ceilDivided(s, kBlock), past = ceilDivided(p, kBlock);
    const double context = w > 0 ? std::min(queries + past, ceilDivided(w, kBlock) + 1) : queries + past;
    const double seeAll = std::min(queries, std::max(0.0, context - past));
    const double blocks = seeAll * past + seeAll * (seeAll + 1) / 2 + (queries - seeAll) * context;

    const double flop = gpu.flopPerUs(shape.fp8 ? Rate::Fp8 : Rate::Bf16) / gpu.sms * c.tensorShare;
    const double scores =
        kBlock * kBlock * std::min(1.0, s / kBlock) * (w > 0 && w < s + p ? c.windowFactor : 1.0);
    const double tensor = scores * 4 * shape.headSize / flop;
    const double exponentials = scores * c.exponential * 16 / (gpu.mufuClk * gpu.clockGhz * 1e3);
    const double block = tensor + exponentials;

    const double perSm = shape.batch * shape.heads / gpu.sms;
    const double throughput = perSm * (queries * c.unit + blocks * block);
    const double longest = c.unit + context * block;
    const double body = std::sqrt(throughput * throughput + longest * longest);
    const double bytes =
        shape.batch * s * shape.headSize *
            (4 * shape.heads + c.keyPasses * 2 * shape.kvHeads * (2 + shape.kvBytes)) +
        shape.batch * (w > 0 ? std::min(p, w) : p) * 2 * shape.kvHeads * shape.headSize * shape.kvBytes;
    const double held = cold ? 0.0 : residency(bytes, c.cacheShare, gpu.l2Mb);
    const double memory = bytes * (1 - held) / (gpu.memoryBytesPerUs() * c.memoryShare);

    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(KernelBound::Memory, memory);
    if (longest >= throughput) {
        parts.add(KernelBound::Waves, body);
    } else {
        KernelParts inside;
        inside.add(KernelBound::Tensor, blocks * tensor);
        inside.add(KernelBound::Exponentials, blocks * exponentials);
        inside.add(KernelBound::Latency, queries * c.unit);
        parts.add(inside.largest(), body);
    }
    return {c.start + body + memory, parts.largest()};
}

namespace {

constexpr std::array<ConstantField<EncoderAttentionConstants>, 5> kEncoderFields{{
    {"t_0", &EncoderAttentionConstants::start, 0, 1e4},
    {"k_m", &EncoderAttentionConstants::memory, 0, 1e4},
    {"k_64", &EncoderAttentionConstants::by64, 0, 1e4},
    {"k_72", &EncoderAttentionConstants::by72, 0, 1e4},
    {"k_80", &EncoderAttentionConstants::by80, 0, 1e4},
}};

} // namespace

std::span<const ConstantField<EncoderAttentionConstants>> EncoderAttentionConstants::fields() {
    return kEncoderFields;
}

KernelTime encoderAttentionTime(const GpuFigures& gpu, const EncoderAttentionConstants& c,
                                const EncoderAttentionShape& shape) {
    const double d = shape.headSize, tokens = shape.batch * shape.tokens;
    if (d != 64 && d != 72 && d != 80)
        throwInvalid("encoder attention",
                     "it was measured with heads of 64, 72 and 80 alone, not " + plainText(d),
                     "Choose one of these sizes");
    const double memory = c.memory * 8 * tokens * shape.heads * d / gpu.memoryBytesPerUs();
    const double products = (d == 64   ? c.by64
                             : d == 72 ? c.by72
                                       : c.by80) *
                            4 * tokens * shape.tokens * shape.heads * d / gpu.flopPerUs(Rate::Bf16);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(KernelBound::Tensor, products);
    parts.add(KernelBound::Memory, memory);
    return {c.start + memory + products, parts.largest()};
}

} // namespace heteroscape::engine
