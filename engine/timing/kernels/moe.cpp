// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/moe.h"

#include "engine/timing/kernels/constants_reader.h"

#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<MoeConstants>, 9> kMoeFields{{
    {"pad", &MoeConstants::pad, 1, 4096},
    {"t0_us", &MoeConstants::start, 0, 1e5},
    {"eta", &MoeConstants::memoryShare, 1e-6, 2},
    {"eps", &MoeConstants::tensorShare, 1e-6, 2},
    {"ca", &MoeConstants::ownPasses, 0, 1e4},
    {"te_ns", &MoeConstants::expertNs, 0, 1e6},
    {"p", &MoeConstants::overlap, 1, 64},
    {"cg", &MoeConstants::seenPasses, 0, 1e4},
    {"nh", &MoeConstants::halfTiles, 0, 1e5},
}};

} // namespace

std::span<const ConstantField<MoeConstants>> MoeConstants::fields() {
    return kMoeFields;
}

void MoeConstants::readMore(MoeConstants& constants, JsonObject& entry) {
    constants.format = readRowName(entry, "format");
    constants.onlyReceived = entry.boolean("only_received", false);
}

KernelTime moeTime(const GpuFigures& gpu, const MoeConstants& c, const MoeFormat& format,
                   const MoeShape& shape) {
    const double memory = gpu.memoryBytesPerUs();
    const double width = ceilDivided(shape.width, c.pad) * c.pad;
    const double elements = shape.matrices * shape.hidden * width; // of one expert
    const double weights = shape.touched * elements * format.weightBytes / (c.memoryShare * memory);
    const double products = 2 * elements * (shape.pairs + c.halfTiles * shape.touched) /
                            (c.tensorShare * gpu.flopPerUs(format.rate));
    const double passes = (c.ownPasses * shape.pairs * (2 * shape.hidden + 3 * shape.width) +
                           c.seenPasses * shape.seen * shape.hidden) *
                          2 / memory;
    const double body = powerNorm(c.overlap, weights, products);
    const double experts = c.expertNs * 1e-3 * shape.localExperts;
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(weights >= products ? KernelBound::Memory : KernelBound::Tensor, body);
    parts.add(KernelBound::Memory, passes);
    parts.add(KernelBound::Latency, experts);
    return {c.start + body + passes + experts, parts.largest()};
}

} // namespace heteroscape::engine
