// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/layered_collectives.h"

#include "engine/timing/kernels/served_kernels.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kUsPerGbs = 1e3; // B per us of one GB/s

// Collectives between nodes, and sends, of which no row was measured: shares of the drawn links' rates, and
// of their latencies, which presets tell of a small collective. Assumed; with latencies of 10 and 25 us a
// collective starts in 8 us and 15 for each doubling of the nodes, a send in 10 (silicon_serving.md, section
// 4).
constexpr double kLinkShare = 0.7, kNetworkShare = 0.85, kSendShare = 0.75;
constexpr double kInside = 0.8, kHop = 0.6, kSendStart = 0.4;

/// What no row was measured of.
KernelTime assumed(const KernelTime& time) {
    return KernelTrust().of(time);
}

} // namespace

KernelTime LayeredCollectives::nccl(NcclOperation operation, double ranks, double bytes) const {
    const auto& row = m_catalog.nccl.require({m_gpu.link, ncclOperationName(operation)});
    return trustIn(row.heldOut, m_gpu, true)
        .of(ncclTime(m_gpu.figures, row.constants, operation, ranks, bytes), ranksWereMeasured(ranks));
}

KernelTime LayeredCollectives::acrossNodes(double ranks, double bytes, double z) const {
    const auto& figures = m_gpu.figures;
    const double local = m_gpu.perNode, nodes = std::ceil(ranks / local);
    const double link = z * (local - 1) / local * bytes / (kLinkShare * figures.linkGbs * kUsPerGbs);
    const double hops = kInside * figures.linkUs + kHop * figures.networkUs * std::log2(nodes);
    const double network =
        z * (nodes - 1) / nodes * (bytes / local) / (kNetworkShare * figures.networkGbs * kUsPerGbs);
    KernelParts parts;
    parts.add(KernelBound::Latency, hops);
    parts.add(KernelBound::Link, link);
    parts.add(KernelBound::Network, network);
    return assumed({hops + link + network, parts.largest()});
}

KernelTime LayeredCollectives::send(double bytes) const {
    const auto& figures = m_gpu.figures;
    const bool leaves = m_graph.shape().layout.stageDevices() >= m_gpu.perNode;
    const double seconds = bytes / ((leaves ? figures.networkGbs : kSendShare * figures.linkGbs) * kUsPerGbs);
    const double start = leaves ? kSendStart * figures.networkUs : figures.linkUs;
    KernelParts parts;
    parts.add(KernelBound::Latency, start);
    parts.add(leaves ? KernelBound::Network : KernelBound::Link, seconds);
    return assumed({start + seconds, parts.largest()});
}

KernelTime LayeredCollectives::exchange(bool dispatch, double rows, double ranks, double bytes) const {
    if (m_gpu.perNode > 8.0) {
        const auto& model = m_graph.model();
        const auto& row =
            m_catalog.nvlinkAllToAll.require({"NVLinkOneSided", dispatch ? "dispatch" : "combine"});
        return trustIn(row.heldOut, m_gpu, true)
            .of(nvlinkAllToAllTime(m_gpu.figures, row.constants,
                                   {rows, model.hidden.value, model.expertsPerToken.value, ranks, 2.0}));
    }
    if (m_gpu.arch == "hopper" || m_gpu.arch == "blackwell")
        return deepEp(dispatch, rows, ranks);
    if (ranks > m_gpu.perNode)
        return acrossNodes(ranks, bytes, 1.0);
    return nccl(NcclOperation::AllToAll, ranks, bytes * ranks / (ranks - 1.0));
}

KernelTime LayeredCollectives::deepEp(bool dispatch, double rows, double ranks) const {
    const std::string_view step = dispatch ? "dispatch" : "combine";
    DeepEpShape shape;
    shape.tokens = rows;
    shape.hidden = m_graph.model().hidden.value;
    shape.chosen = m_graph.model().expertsPerToken.value;
    shape.experts = m_graph.model().experts.value;
    shape.nodes = std::max(1.0, ranks / 8.0);
    shape.ranksPerNode = std::min(8.0, ranks);
    shape.dispatch = dispatch;
    if (m_graph.shape().phase == Phase::Decode) {
        const auto& row = m_catalog.deepEpLowLatency.require({m_gpu.arch, step});
        return trustIn(row.heldOut, m_gpu, true)
            .of(deepEpLowLatencyTime(m_gpu.figures, row.constants, shape));
    }
    const auto& row = m_catalog.deepEpNormal.require({m_gpu.arch, step});
    auto time = deepEpNormalTime(m_gpu.figures, row.constants, shape);
    if (dispatch)
        time.us += deepEpSizeExchangeUs(shape.nodes);
    return trustIn(row.heldOut, m_gpu, true).of(time);
}

} // namespace heteroscape::engine
