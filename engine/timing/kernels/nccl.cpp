// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/nccl.h"

#include "engine/timing/kernels/all_reduce.h"

#include <algorithm>

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
