// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/nvlink_all_to_all.h"

#include "engine/operators/experts.h"

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

} // namespace heteroscape::engine
