// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/deepep.h"

#include "engine/operators/experts.h"

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
    const double nodes = std::min({shape.nodes, 4.0, distinctPlaces(shape.chosen, shape.nodes)});
    const double link = bytes * copies / (c.linkShare * gpu.linkGbs * 1e3);
    const double handled = bytes * copies / (shape.processors * c.processor * 1e3);
    const double network =
        bytes * nodes * (shape.nodes - 1) / shape.nodes / (c.networkShare * gpu.networkGbs * 1e3);
    return summed(c.start, c.nodeUs * std::log2(shape.nodes), c.overlap, link, handled, network);
}

double deepEpSizeExchangeUs(double nodes) {
    return nodes > 1 ? 12 + 24 * std::log2(nodes) : 0.0;
}

} // namespace heteroscape::engine
