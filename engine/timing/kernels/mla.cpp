// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/mla.h"

#include "engine/timing/kernels/constants_table.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<MlaDecodeConstants>, 7> kMlaDecodeFields{{
    {"t0_us", &MlaDecodeConstants::start, 0, 1e5},
    {"eta", &MlaDecodeConstants::memoryShare, 1e-6, 2},
    {"eps", &MlaDecodeConstants::tensorShare, 1e-6, 2},
    {"ca", &MlaDecodeConstants::passes, 0, 1e4},
    {"p", &MlaDecodeConstants::overlap, 1, 64},
    {"head_floor", &MlaDecodeConstants::headFloor, 0, 1e4},
    {"split_us", &MlaDecodeConstants::split, 0, 1e5},
}};

constexpr std::array<ConstantField<MlaSerialConstants>, 5> kMlaSerialFields{{
    {"t0_us", &MlaSerialConstants::start, 0, 1e5},
    {"ns_per_key", &MlaSerialConstants::keyNs, 0, 1e6},
    {"waves_factor", &MlaSerialConstants::waves, 0, 1e3},
    {"heads_per_block", &MlaSerialConstants::headsPerBlock, 1e-3, 1e4},
    {"p", &MlaSerialConstants::overlap, 1, 64},
}};

constexpr std::array<ConstantField<MlaPrefillConstants>, 5> kMlaPrefillFields{{
    {"t0_us", &MlaPrefillConstants::start, 0, 1e5},
    {"eps", &MlaPrefillConstants::tensorShare, 1e-6, 2},
    {"ca", &MlaPrefillConstants::passes, 0, 1e4},
    {"ns_per_key", &MlaPrefillConstants::keyNs, 0, 1e6},
    {"p", &MlaPrefillConstants::overlap, 1, 64},
}};

constexpr std::array<ConstantField<MlaAbsorptionConstants>, 4> kMlaAbsorptionFields{{
    {"t0_us", &MlaAbsorptionConstants::start, 0, 1e5},
    {"eta", &MlaAbsorptionConstants::memoryShare, 1e-6, 2},
    {"eps", &MlaAbsorptionConstants::tensorShare, 1e-6, 2},
    {"p", &MlaAbsorptionConstants::overlap, 1, 64},
}};

constexpr double kQueryBlock = 128.0;

} // namespace

std::span<const ConstantField<MlaDecodeConstants>> MlaDecodeConstants::fields() {
    return kMlaDecodeFields;
}
std::span<const ConstantField<MlaSerialConstants>> MlaSerialConstants::fields() {
    return kMlaSerialFields;
}
std::span<const ConstantField<MlaPrefillConstants>> MlaPrefillConstants::fields() {
    return kMlaPrefillFields;
}
std::span<const ConstantField<MlaAbsorptionConstants>> MlaAbsorptionConstants::fields() {
    return kMlaAbsorptionFields;
}

void MlaPrefillConstants::readMore(MlaPrefillConstants& constants, JsonObject& entry) {
    static constexpr std::array<std::string_view, 2> forms{"naive", "absorbed"};
    constants.absorbed = readName(entry, "form", forms) == 1;
}

KernelTime mlaDecodeTime(const GpuFigures& gpu, const MlaDecodeConstants& c, const MlaDecodeShape& shape) {
    return mlaDecodeTime(gpu, c, shape, ceilDivided(shape.cached, kLatentKeyBlock) * kLatentKeyBlock);
}

KernelTime mlaDecodeTime(const GpuFigures& gpu, const MlaDecodeConstants& c, const MlaDecodeShape& shape,
                         double context) {
    const double latent = shape.widths.rank + shape.widths.rotary;
    const double width = latent + shape.widths.rank;
    const double cache =
        shape.batch * context * latent * shape.kvBytes / (c.memoryShare * gpu.memoryBytesPerUs());
    const double products = 2 * shape.batch * context * std::max(shape.heads, c.headFloor) * width /
                            (c.tensorShare * gpu.flopPerUs(Rate::Bf16));
    const double body = powerNorm(c.overlap, cache, products);
    const double passes = c.passes * shape.batch * shape.heads * width * 2 / gpu.memoryBytesPerUs();
    const double split = c.split * std::min(1.0, shape.cached / 256);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(cache >= products ? KernelBound::Memory : KernelBound::Tensor, body);
    parts.add(KernelBound::Memory, passes);
    parts.add(KernelBound::Latency, split);
    return {c.start + body + passes + split, parts.largest()};
}

KernelTime mlaSerialDecodeTime(const GpuFigures& gpu, const MlaSerialConstants& c,
                               const MlaDecodeShape& shape) {
    const double blocks = shape.batch * std::max(1.0, shape.heads / c.headsPerBlock);
    const double waves = c.waves * blocks / gpu.sms;
    const double walk = shape.cached * c.keyNs * 1e-3 * powerNorm(c.overlap, 1, waves);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(waves > 1 ? KernelBound::Waves : KernelBound::Latency, walk);
    return {c.start + walk, parts.largest()};
}

KernelTime mlaPrefillTime(const GpuFigures& gpu, const MlaPrefillConstants& c, const MlaPrefillShape& shape) {
    const auto& widths = shape.widths;
    const double latent = widths.rank + widths.rotary;
    const double pairWidth =
        c.absorbed ? latent + widths.rank : widths.head + widths.rotary + widths.value; // x + y
    const double q = shape.tokens, p = shape.cached;
    const double products = 2 * shape.batch * (q * p + q * (q + kQueryBlock) / 2) * shape.heads * pairWidth /
                            (c.tensorShare * gpu.flopPerUs(Rate::Bf16));
    const double own =
        shape.batch * q * (shape.heads * pairWidth * (c.absorbed ? 1 : 2) * 2 + latent * shape.kvBytes);
    const double past = shape.batch * p * (c.absorbed ? latent * shape.kvBytes : shape.heads * pairWidth * 2);
    const double memory = c.passes * (own + past) / gpu.memoryBytesPerUs();
    const double walk = c.keyNs * 1e-3 * (p + q);
    const double body = powerNorm(c.overlap, products, memory, walk);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(products >= std::max(memory, walk) ? KernelBound::Tensor
              : memory >= walk                   ? KernelBound::Memory
                                                 : KernelBound::Latency,
              body);
    return {c.start + body, parts.largest()};
}

KernelTime mlaAbsorptionTime(const GpuFigures& gpu, const MlaAbsorptionConstants& c,
                             const MlaAbsorptionShape& shape) {
    const double elements = shape.heads * shape.rank * shape.head;
    const double bytes =
        elements * (shape.fp8 ? 1 : 2) + shape.tokens * shape.heads * (shape.rank + shape.head) * 2;
    const double memory = bytes / (c.memoryShare * gpu.memoryBytesPerUs());
    const double products =
        2 * shape.tokens * elements / (c.tensorShare * gpu.flopPerUs(Rate::Bf16) * (shape.fp8 ? 2 : 1));
    const double body = powerNorm(c.overlap, memory, products);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(memory >= products ? KernelBound::Memory : KernelBound::Tensor, body);
    return {c.start + body, parts.largest()};
}

} // namespace heteroscape::engine
