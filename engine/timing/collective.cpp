// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "engine/units/number_text.h"

namespace heteroscape::engine {

namespace {

std::string_view collectiveName(OperatorKind kind) {
    switch (kind) {
    case OperatorKind::AllGather:
        return "all-gather";
    case OperatorKind::ReduceScatter:
        return "reduce-scatter";
    case OperatorKind::AllToAll:
        return "all-to-all";
    case OperatorKind::Send:
        return "send";
    default:
        return "allreduce";
    }
}

} // namespace

double Collective::trafficFactor(const Operator& op) const {
    const double n = ranks(op);
    if (!isCollective(op.kind) || n <= 1.0)
        return 0.0;
    const bool ring = convention == AllReduceConvention::Ring;
    switch (op.kind) {
    case OperatorKind::AllReduce:
        return ring ? 2.0 * (n - 1.0) / n : 1.0;
    case OperatorKind::AllGather:
    case OperatorKind::ReduceScatter:
        return ring ? (n - 1.0) / n : 1.0;
    default:
        return 1.0;
    }
}

double Collective::seconds(const Operator& op, double payloadBytes) const {
    return !isCollective(op.kind) || ranks(op) <= 1.0
               ? 0.0
               : latency + trafficFactor(op) * payloadBytes / bandwidth;
}

double Collective::transferSeconds(const Operator& op, double payloadBytes) const {
    return !isCollective(op.kind) || ranks(op) <= 1.0 ? 0.0 : trafficFactor(op) * payloadBytes / bandwidth;
}

Term Collective::quantity(Quantity LinkType::*member, std::string name, double value, Measure measure) const {
    return link ? Numbers<Term>::quantity(linkTypeFields, *link, member)
                : Term::counted(std::move(name), value, measure, "of the network");
}

Term Collective::explainTransfer(const Operator& op, const Term& payloadBytes) const {
    if (ranks(op) <= 1.0)
        return {};
    const auto factor = Term::counted(
        "Times the payload is sent", trafficFactor(op), measures::count,
        std::string(allReduceConventionNames()[static_cast<std::size_t>(convention)]) + " " +
            std::string(collectiveName(op.kind)) + " over " + plainText(ranks(op)) + " devices");
    const auto sent = (factor * payloadBytes).named("Bytes sent", measures::megabytes);
    return (sent / quantity(&LinkType::bandwidth, "Bandwidth", bandwidth, measures::byteRate))
        .named("Transfer", measures::microseconds);
}

Term Collective::explain(const Operator& op, const Term& payloadBytes) const {
    if (ranks(op) <= 1.0)
        return {};
    return quantity(&LinkType::latency, "Latency", latency, measures::microseconds) +
           explainTransfer(op, payloadBytes);
}

} // namespace heteroscape::engine
