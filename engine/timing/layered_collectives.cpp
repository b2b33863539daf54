// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/layered_step_kernels.h"

#include "engine/timing/collective.h"
#include "engine/timing/kernels/served_kernels.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kUsPerGbs = 1e3; // B per us of one GB/s

// Of sends, of which no row was measured, as of acrossNodesTime(): shares of a link's rate and of the
// network's latency, with 25 us of which a send starts in 10 (silicon_serving.md, section 4).
constexpr double kSendShare = 0.75, kSendStart = 0.4;

} // namespace

KernelTime LayeredCollectives::nccl(NcclOperation operation, double ranks, double bytes) const {
    if (ranks > m_gpu.perNode)
        return acrossNodesTime(m_gpu, operation, ranks, bytes);
    const auto& row = m_catalog.nccl.require({m_gpu.link, ncclOperationName(operation)});
    return trustIn(row.heldOut, m_gpu, true)
        .of(ncclTime(m_gpu.figures, row.constants, operation, ranks, bytes), ranksWereMeasured(ranks));
}

KernelTime LayeredCollectives::send(double bytes) const {
    const auto& figures = m_gpu.figures;
    const bool leaves = m_graph.shape().layout.stageDevices() >= m_gpu.perNode;
    const double seconds = bytes / ((leaves ? figures.networkGbs : kSendShare * figures.linkGbs) * kUsPerGbs);
    const double start = leaves ? kSendStart * figures.networkUs : figures.linkUs;
    KernelParts parts;
    parts.add(KernelBound::Latency, start);
    parts.add(leaves ? KernelBound::Network : KernelBound::Link, seconds);
    return KernelTrust().of({start + seconds, parts.largest()});
}

KernelTime LayeredCollectives::exchange(const Operator& op, double rows, double ranks, double bytes) const {
    const bool dispatch = op.key == "dispatch";
    if (m_gpu.perNode > 8.0 && ranks <= m_gpu.perNode) {
        const auto& model = m_graph.model();
        const auto& row =
            m_catalog.nvlinkAllToAll.require({"NVLinkOneSided", dispatch ? "dispatch" : "combine"});
        return trustIn(row.heldOut, m_gpu, true)
            .of(nvlinkAllToAllTime(m_gpu.figures, row.constants,
                                   {rows, model.hidden.value, model.expertsPerToken.value, ranks, 2.0}));
    }
    if (m_gpu.arch == "hopper" || m_gpu.arch == "blackwell")
        return deepEp(dispatch, rows, ranks);
    if (ranks > m_gpu.perNode) {
        const auto sent = allToAllShares(ranks, m_gpu.perNode, op.chosen);
        return acrossNodesTime(m_gpu.figures, std::ceil(ranks / m_gpu.perNode), sent.near * bytes,
                               sent.far * bytes);
    }
    return nccl(NcclOperation::AllToAll, ranks, bytes * ranks / (ranks - 1.0));
}

KernelTime LayeredCollectives::deepEp(bool dispatch, double rows, double ranks) const {
    const std::string_view step = dispatch ? "dispatch" : "combine";
    DeepEpShape shape;
    shape.tokens = rows;
    shape.hidden = m_graph.model().hidden.value;
    shape.chosen = m_graph.model().expertsPerToken.value;
    shape.experts = m_graph.model().experts.value;
    shape.nodes = std::max(1.0, ranks / m_gpu.perNode);
    shape.ranksPerNode = std::min(m_gpu.perNode, ranks);
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
