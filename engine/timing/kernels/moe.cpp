// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/moe.h"

#include "engine/operators/experts.h"
#include "engine/timing/kernels/constants_table.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<DeepEpLowLatencyConstants>, 7> kLowLatencyFields{{
    {"t0_us", &DeepEpLowLatencyConstants::start, 0, 1e5},
    {"node_us", &DeepEpLowLatencyConstants::nodeUs, 0, 1e5},
    {"nvlink", &DeepEpLowLatencyConstants::linkShare, 1e-6, 2},
    {"network", &DeepEpLowLatencyConstants::networkShare, 1e-6, 2},
    {"ns_per_expert", &DeepEpLowLatencyConstants::expertNs, 0, 1e6},
    {"ns_per_received", &DeepEpLowLatencyConstants::receivedNs, 0, 1e6},
    {"p", &DeepEpLowLatencyConstants::overlap, 1, 64},
}};

constexpr std::array<ConstantField<DeepEpNormalConstants>, 6> kNormalFields{{
    {"t0_us", &DeepEpNormalConstants::start, 0, 1e5},
    {"node_us", &DeepEpNormalConstants::nodeUs, 0, 1e5},
    {"nvlink", &DeepEpNormalConstants::linkShare, 1e-6, 2},
    {"network", &DeepEpNormalConstants::networkShare, 1e-6, 2},
    {"gb_s_per_sm", &DeepEpNormalConstants::processor, 1e-6, 1e6},
    {"p", &DeepEpNormalConstants::overlap, 1, 64},
}};

/// Bytes of one token without what a message has beside them.
double tokenBytes(const DeepEpShape& shape) {
    return shape.dispatch ? shape.hidden * (1 + 1.0 / 32) : 2 * shape.hidden;
}

KernelTime summed(double launch, double hops, double overlap, double link, double handled, double network) {
    const double body = powerNorm(overlap, link, handled, network);
    KernelParts parts;
    parts.add(KernelBound::Launch, launch);
    parts.add(KernelBound::Latency, hops);
    parts.add(network >= std::max(link, handled) ? KernelBound::Network
              : link >= handled                  ? KernelBound::Link
                                                 : KernelBound::Operands,
              body);
    return {launch + hops + body, parts.largest()};
}

} // namespace

std::span<const ConstantField<DeepEpLowLatencyConstants>> DeepEpLowLatencyConstants::fields() {
    return kLowLatencyFields;
}
std::span<const ConstantField<DeepEpNormalConstants>> DeepEpNormalConstants::fields() {
    return kNormalFields;
}

KernelTime deepEpLowLatencyTime(const GpuFigures& gpu, const DeepEpLowLatencyConstants& c,
                                const DeepEpShape& shape) {
    const double ranks = shape.ranks(), inside = 1 / shape.nodes; // l / R
    const double bytes = shape.tokens * shape.chosen * (tokenBytes(shape) + (shape.dispatch ? 16 : 0));
    const double link = bytes * inside / (c.linkShare * gpu.linkGbs * 1e3);
    const double network = bytes * (1 - inside) / (c.networkShare * gpu.networkGbs * 1e3);
    const double received =
        c.receivedNs * 1e-3 * shape.tokens * ranks * shape.chosen / shape.experts * shape.hidden / 4096;
    const double hops = c.nodeUs * std::log2(shape.nodes) + c.expertNs * 1e-3 * shape.experts;
    return summed(c.start, hops, c.overlap, link, received, network);
}

KernelTime deepEpNormalTime(const GpuFigures& gpu, const DeepEpNormalConstants& c, const DeepEpShape& shape) {
    const double copies = distinctPlaces(shape.chosen, std::min(shape.ranks(), shape.experts));
    const double bytes = shape.tokens * tokenBytes(shape);
    const double nodes = nodesOfToken(shape.chosen, shape.nodes);
    const double link = bytes * copies / (c.linkShare * gpu.linkGbs * 1e3);
    const double handled = bytes * copies / (shape.processors * c.processor * 1e3);
    const double network =
        bytes * nodes * (shape.nodes - 1) / shape.nodes / (c.networkShare * gpu.networkGbs * 1e3);
    return summed(c.start, c.nodeUs * std::log2(shape.nodes), c.overlap, link, handled, network);
}

double deepEpSizeExchangeUs(double nodes) {
    return nodes > 1 ? 12 + 24 * std::log2(nodes) : 0.0;
}

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

namespace {

/// What reading the weights of the experts that are met takes, and their products; us.
struct ExpertWork {
    double weights, products;
    double asked; ///< products without those of half-filled tiles, which are no compute that limits

    ExpertWork(const GpuFigures& gpu, const MoeConstants& c, double weightBytes, Rate rate,
               const MoeShape& shape) {
        const double width = ceilDivided(shape.width, c.pad) * c.pad;
        const double elements = shape.matrices * shape.hidden * width; // of one expert
        weights = shape.touched * elements * weightBytes / (c.memoryShare * gpu.memoryBytesPerUs());
        products = 2 * elements * (shape.pairs + c.halfTiles * shape.touched) /
                   (c.tensorShare * gpu.flopPerUs(rate));
        asked = products * shape.pairs / (shape.pairs + c.halfTiles * shape.touched);
    }
    KernelBound bound() const { return weights >= asked ? KernelBound::Memory : KernelBound::Tensor; }
};

} // namespace

KernelTime moeTime(const GpuFigures& gpu, const MoeConstants& c, const MoeFormat& format,
                   const MoeShape& shape) {
    const double memory = gpu.memoryBytesPerUs();
    const ExpertWork work(gpu, c, format.weightBytes, format.rate, shape);
    const double passes = (c.ownPasses * shape.pairs * (2 * shape.hidden + 3 * shape.width) +
                           c.seenPasses * shape.seen * shape.hidden) *
                          2 / memory;
    const double body = powerNorm(c.overlap, work.weights, work.products);
    const double experts = c.expertNs * 1e-3 * shape.localExperts;
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(work.bound(), body);
    parts.add(KernelBound::Memory, passes);
    parts.add(KernelBound::Latency, experts);
    return {c.start + body + passes + experts, parts.largest()};
}

KernelTime unpackingGemmTime(const GpuFigures& gpu, const MoeConstants& c, double weightBytes,
                             double launchUs, const GemmShape& shape) {
    MoeShape all;
    all.hidden = shape.k;
    all.width = shape.n;
    all.matrices = all.touched = 1;
    all.pairs = shape.m;
    const ExpertWork work(gpu, c, weightBytes, Rate::Bf16, all);
    const double body = powerNorm(c.overlap, work.weights, work.products);
    const double passes = 2 * shape.m * (shape.k + shape.n) / gpu.memoryBytesPerUs();
    KernelParts parts;
    parts.add(KernelBound::Launch, launchUs);
    parts.add(work.bound(), body);
    parts.add(KernelBound::Memory, passes);
    return {launchUs + body + passes, parts.largest()};
}

} // namespace heteroscape::engine
