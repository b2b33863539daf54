// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/all_reduce.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

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
