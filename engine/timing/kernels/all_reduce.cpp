// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/all_reduce.h"

#include "engine/operators/experts.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<NvlinkAllToAllConstants>, 5> kNvlinkFields{{
    {"t0_us", &NvlinkAllToAllConstants::start, 0, 1e5},
    {"nvlink", &NvlinkAllToAllConstants::linkShare, 1e-6, 2},
    {"us_per_doubling", &NvlinkAllToAllConstants::doublingUs, 0, 1e5},
    {"ns_per_token", &NvlinkAllToAllConstants::tokenNs, 0, 1e6},
    {"p", &NvlinkAllToAllConstants::overlap, 1, 64},
}};

} // namespace

std::span<const ConstantField<NvlinkAllToAllConstants>> NvlinkAllToAllConstants::fields() {
    return kNvlinkFields;
}

KernelTime nvlinkAllToAllTime(const GpuFigures& gpu, const NvlinkAllToAllConstants& c,
                              const NvlinkAllToAllShape& shape) {
    const double bytes =
        shape.tokens * distinctPlaces(shape.chosen, shape.ranks) * shape.hidden * shape.elementBytes;
    const double link = bytes / (c.linkShare * gpu.linkGbs * 1e3);
    const double tokens = c.tokenNs * 1e-3 * shape.tokens;
    const double hops = c.doublingUs * std::log2(shape.ranks);
    const double body = powerNorm(c.overlap, link, tokens);
    KernelParts parts;
    parts.add(KernelBound::Launch, c.start);
    parts.add(KernelBound::Latency, hops);
    parts.add(link >= tokens ? KernelBound::Link : KernelBound::Latency, body);
    return {c.start + hops + body, parts.largest()};
}

namespace {

constexpr std::array<std::string_view, 4> kNcclNames{"all_reduce", "all_gather", "reduce_scatter",
                                                     "alltoall"};

constexpr std::array<ConstantField<NcclConstants>, 8> kNcclFields{{
    {"a0", &NcclConstants::a0, 0, 1e5},
    {"a1", &NcclConstants::a1, 0, 1e5},
    {"e1", &NcclConstants::e1, 1e-6, 2},
    {"s0", &NcclConstants::s0, 0, 1e5},
    {"s1", &NcclConstants::s1, 0, 1e5},
    {"e2", &NcclConstants::e2, 1e-6, 2},
    {"nv", &NcclConstants::nv, 1e-3, 10},
    {"kx", &NcclConstants::kx, 0, 10},
}};

} // namespace

std::string_view ncclOperationName(NcclOperation operation) {
    return kNcclNames[static_cast<std::size_t>(operation)];
}

std::optional<NcclOperation> findNcclOperation(std::string_view name) {
    const auto found = std::find(kNcclNames.begin(), kNcclNames.end(), name);
    if (found == kNcclNames.end())
        return std::nullopt;
    return static_cast<NcclOperation>(found - kNcclNames.begin());
}

std::span<const ConstantField<NcclConstants>> NcclConstants::fields() {
    return kNcclFields;
}

KernelTime ncclTime(const GpuFigures& gpu, const NcclConstants& c, NcclOperation operation, double ranks,
                    double bytes) {
    if (ranks <= 1)
        return {};
    const double others = ranks - 1;
    const double sent = (operation == NcclOperation::AllReduce ? 2.0 : 1.0) * others / ranks * bytes;
    const double rate = linkBytesPerUs(gpu, ranks, c.kx);
    const double lowHops = c.a1 * others, lowLink = sent / (c.e1 * rate);
    const double highHops = c.s0 + (c.a1 + c.s1) * others;
    const double highLink = sent * (ranks >= 8 ? c.nv : 1.0) / (c.e2 * rate);
    const bool low = lowHops + lowLink <= highHops + highLink;
    const double hops = low ? lowHops : highHops, link = low ? lowLink : highLink;
    KernelParts parts;
    parts.add(KernelBound::Launch, c.a0);
    parts.add(KernelBound::Latency, hops);
    parts.add(KernelBound::Link, link);
    return {c.a0 + hops + link, parts.largest()};
}

namespace {

constexpr std::array<ConstantField<AllReduceConstants>, 11> kAllReduceFields{{
    {"a0", &AllReduceConstants::a0, 0, 1e5},
    {"a1", &AllReduceConstants::a1, 0, 1e5},
    {"e1", &AllReduceConstants::e1, 1e-6, 2},
    {"b0", &AllReduceConstants::b0, 0, 1e5},
    {"b1", &AllReduceConstants::b1, 0, 1e5},
    {"e2", &AllReduceConstants::e2, 1e-6, 2},
    {"c0", &AllReduceConstants::c0, 0, 1e5},
    {"c1", &AllReduceConstants::c1, 0, 1e5},
    {"e3", &AllReduceConstants::e3, 1e-6, 2},
    {"nv", &AllReduceConstants::nv, 0, 10},
    {"kx", &AllReduceConstants::kx, 0, 10},
}};

} // namespace

std::span<const ConstantField<AllReduceConstants>> AllReduceConstants::fields() {
    return kAllReduceFields;
}

KernelTime acrossNodesTime(const GpuFigures& gpu, double nodes, double near, double far) {
    constexpr double kUsPerGbs = 1e3; // B per us of one GB/s
    constexpr double kLinkShare = 0.7, kNetworkShare = 0.85, kInside = 0.8, kHop = 0.6;
    const double link = near / (kLinkShare * gpu.linkGbs * kUsPerGbs);
    const double hops = kInside * gpu.linkUs + kHop * gpu.networkUs * std::log2(nodes);
    const double network = far / (kNetworkShare * gpu.networkGbs * kUsPerGbs);
    KernelParts parts;
    parts.add(KernelBound::Latency, hops);
    parts.add(KernelBound::Link, link);
    parts.add(KernelBound::Network, network);
    return KernelTrust().of({hops + link + network, parts.largest()});
}

KernelTime acrossNodesTime(const Gpu& gpu, NcclOperation operation, double ranks, double bytes) {
    const double local = gpu.perNode, nodes = std::ceil(ranks / local);
    const double z = operation == NcclOperation::AllReduce ? 2.0 : 1.0;
    return acrossNodesTime(gpu.figures, nodes, z * (local - 1) / local * bytes,
                           z * (nodes - 1) / nodes * (bytes / local));
}

double linkBytesPerUs(const GpuFigures& gpu, double ranks, double contention) {
    return gpu.linkGbs * 1e3 * (contention > 0 ? std::pow(2 / ranks, contention) : 1.0);
}

KernelTime allReduceTime(const GpuFigures& gpu, const AllReduceConstants& c, double ranks, double bytes) {
    if (ranks <= 1)
        return {};
    const double others = ranks - 1, ring = 2 * others / ranks;
    const double rate = linkBytesPerUs(gpu, ranks, c.kx);
    struct Way {
        double hops, link;
        double us() const { return hops + link; }
    };
    const std::array<Way, 3> ways{
        {{c.a1 * others, others * bytes / (c.e1 * rate)},
         {c.b0 + c.b1 * others, ring * bytes / (c.e2 * rate)},
         {c.c0 + c.c1 * others, (c.nv > 0 && ranks >= 8 ? c.nv : ring) * bytes / (c.e3 * rate)}}};
    const auto& best = *std::min_element(ways.begin(), ways.end(),
                                         [](const Way& a, const Way& b) { return a.us() < b.us(); });
    KernelParts parts;
    parts.add(KernelBound::Launch, c.a0);
    parts.add(KernelBound::Latency, best.hops);
    parts.add(KernelBound::Link, best.link);
    return {c.a0 + best.us(), parts.largest()};
}

} // namespace heteroscape::engine
