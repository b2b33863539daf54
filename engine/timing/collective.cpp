// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "engine/operators/experts.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kDmas = 2.0; // K and V

template <class V>
V hopSeconds(const V& bytesPerLayer, const HopOf<V>& hop) {
    using N = Numbers<V>;
    const V starts =
        N::counted("DMAs of a layer", kDmas, measures::count, "one of K, one of V") * hop.latency;
    return N::named(N::named(starts, "Starting", measures::microseconds) +
                        N::named(bytesPerLayer / hop.bandwidth, "Transfer", measures::microseconds),
                    "One layer over", measures::microseconds, hop.name);
}

template <class V>
V exposed(const V& layers, const V& bytesPerLayer, std::span<const HopOf<V>> path, const V& prefill) {
    using N = Numbers<V>;
    using std::max;
    const auto time = [](const V& seconds, std::string_view name) {
        return N::named(seconds, name, measures::milliseconds);
    };
    // A pipeline with constant stage times leaves its last stage at
    //   max over the layer m at which the slowest constraint sets in; both ends of the affine maximum
    //   suffice:
    // layer i is ready at p i and then needs every hop once plus the slowest hop for each later layer.
    V sum{};
    V slowest{};
    for (const auto& hop : path) {
        const V seconds = hopSeconds(bytesPerLayer, hop);
        sum = sum + seconds;
        slowest = max(slowest, seconds);
    }
    sum = time(sum, "One layer over all links");
    slowest = time(slowest, "One layer over the slowest link");
    const V perLayer = time(prefill / layers, "Prefill of one layer");
    const V later = N::named(layers - N::counted("The first", 1.0, measures::count, "definition"),
                             "Layers after the first", measures::count);
    const V first = time(perLayer + sum + time(later * slowest, "Later layers over the slowest link"),
                         "Links hold up the KV transfer");
    const V last = time(prefill + sum, "The prefill holds it up");
    return time(time(max(first, last), "End of the KV transfer") - prefill, "KV transfer after the prefill");
}

} // namespace

double KvTransfer::layerSeconds(const Hop& hop) const {
    return hopSeconds(bytesPerLayer, hop);
}

double KvTransfer::startSeconds(const Hop& hop) const {
    return layers * kDmas * hop.latency;
}

double KvTransfer::serialSeconds(std::span<const Hop> path) const {
    double sum = 0.0;
    for (const auto& hop : path)
        sum += layers * layerSeconds(hop);
    return sum;
}

double KvTransfer::exposedSeconds(std::span<const Hop> path, double prefillSeconds) const {
    return exposed(layers, bytesPerLayer, path, prefillSeconds);
}

Term explainExposed(const Term& layers, const Term& bytesPerLayer, std::span<const HopOf<Term>> path,
                    const Term& prefillSeconds) {
    return exposed(layers, bytesPerLayer, path, prefillSeconds);
}

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

SentBytes allToAllShares(double n, double l, double chosen) {
    const double nodes = n / l;
    const double beyond = chosen > 0.0 ? nodesOfToken(chosen, nodes) * (nodes - 1.0) / nodes /
                                             (distinctPlaces(chosen, n) * (n - 1.0) / n)
                                       : (n - l) / (n - 1.0);
    return {1.0 - beyond, beyond};
}

/// What it takes to start inside a domain, of a link that starts in `seconds`.
template <class V>
V Collective::starting(const V& seconds) const {
    constexpr double kThroughHost = 2.0;
    return peer == 0.0 ? Numbers<V>::counted("DMAs through the host", kThroughHost, measures::count,
                                             "into it, out of it") *
                             seconds
                       : seconds;
}

double Collective::flatFactor(OperatorKind kind, double n) const {
    const bool ring = convention == AllReduceConvention::Ring || convention == AllReduceConvention::FlatRing;
    switch (kind) {
    case OperatorKind::AllReduce:
        return ring ? 2.0 * (n - 1.0) / n : convention == AllReduceConvention::Tree ? 2.0 : 1.0;
    case OperatorKind::AllGather:
    case OperatorKind::ReduceScatter:
        return ring ? (n - 1.0) / n : 1.0;
    default:
        return 1.0;
    }
}

bool Collective::crosses(const Operator& op) const {
    return network.bandwidth > 0.0 && (op.kind == OperatorKind::Send ? devices : ranks(op)) > network.domain;
}

SentBytes Collective::factors(const Operator& op) const {
    const double n = ranks(op);
    if (!isCollective(op.kind) || n <= 1.0)
        return {};
    if (!crosses(op))
        return {flatFactor(op.kind, n), 0.0};
    const double l = network.domain;
    if (op.kind == OperatorKind::AllToAll)
        return allToAllShares(n, l, op.chosen);
    if (op.kind == OperatorKind::Send) {
        const double beyond = std::min(1.0, stage / l);
        return {1.0 - beyond, beyond};
    }
    if (isFlat(op)) { // of l neighbours l - 1 lie in the same domain
        const double r = flatFactor(op.kind, n);
        return {r * (l - 1.0) / l, r / l};
    }
    return {l > 1.0 ? flatFactor(op.kind, l) : 0.0, flatFactor(op.kind, n / l) / l};
}

bool Collective::isFlat(const Operator& op) const {
    return convention == AllReduceConvention::FlatRing && op.kind != OperatorKind::Send &&
           op.kind != OperatorKind::AllToAll;
}

double Collective::trafficFactor(const Operator& op) const {
    const auto r = factors(op);
    return r.near + r.far;
}

SentBytes Collective::sent(const Operator& op, double payloadBytes) const {
    const auto r = factors(op);
    return {r.near * payloadBytes, r.far * payloadBytes};
}

double Collective::seconds(const Operator& op, double payloadBytes) const {
    if (!isCollective(op.kind) || ranks(op) <= 1.0)
        return 0.0;
    if (!crosses(op))
        return starting(latency) + trafficFactor(op) * payloadBytes / bandwidth;
    const auto r = factors(op);
    const double begin = (r.near > 0.0 ? starting(latency) : 0.0) + network.latency;
    return begin + transferSeconds(op, payloadBytes);
}

double Collective::transferSeconds(const Operator& op, double payloadBytes) const {
    if (!isCollective(op.kind) || ranks(op) <= 1.0)
        return 0.0;
    if (!crosses(op))
        return trafficFactor(op) * payloadBytes / bandwidth;
    if (isFlat(op))
        return flatFactor(op.kind, ranks(op)) * payloadBytes / std::min(bandwidth, network.bandwidth);
    const auto bytes = sent(op, payloadBytes);
    const double inside = bytes.near / bandwidth;
    const double between = bytes.far / network.bandwidth;
    return op.kind == OperatorKind::AllToAll ? std::max(inside, between) : inside + between;
}

namespace {

Term quantityOf(const LinkType* link, Quantity LinkType::*member, std::string name, double value,
                Measure measure) {
    return link ? Numbers<Term>::quantity(linkTypeFields, *link, member)
                : Term::counted(std::move(name), value, measure, "of the network");
}

} // namespace

Term Collective::explainTransfer(const Operator& op, const Term& payloadBytes) const {
    if (ranks(op) <= 1.0)
        return {};
    const auto r = factors(op);
    const auto over = [&](double factor, const std::string& ranksText, const LinkType* on, double rate) {
        const auto times =
            Term::counted("Times the payload is sent", factor, measures::count,
                          std::string(allReduceConventionNames()[static_cast<std::size_t>(convention)]) +
                              " " + std::string(collectiveName(op.kind)) + " over " + ranksText);
        const auto bytes = (times * payloadBytes).named("Bytes sent", measures::megabytes);
        return bytes / quantityOf(on, &LinkType::bandwidth, "Bandwidth", rate, measures::byteRate);
    };
    if (!crosses(op))
        return over(r.near, plainText(ranks(op)) + " devices", link, bandwidth)
            .named("Transfer", measures::microseconds);
    if (isFlat(op)) {
        const bool far = network.bandwidth <= bandwidth;
        return over(flatFactor(op.kind, ranks(op)), plainText(ranks(op)) + " devices of all domains",
                    far ? network.link : link, far ? network.bandwidth : bandwidth)
            .named("Transfer", measures::microseconds);
    }
    const auto between = over(r.far, plainText(std::ceil(devices / network.domain)) + " domains",
                              network.link, network.bandwidth)
                             .named("Transfer between domains", measures::microseconds);
    if (!(r.near > 0.0))
        return between;
    const auto inside = over(r.near, plainText(network.domain) + " devices of a domain", link, bandwidth)
                            .named("Transfer inside a domain", measures::microseconds);
    return (op.kind == OperatorKind::AllToAll ? max(inside, between) : inside + between)
        .named("Transfer", measures::microseconds);
}

Term Collective::explain(const Operator& op, const Term& payloadBytes) const {
    if (ranks(op) <= 1.0)
        return {};
    const auto near =
        starting(quantityOf(start, &LinkType::latency, "Latency", latency, measures::microseconds));
    if (!crosses(op))
        return near + explainTransfer(op, payloadBytes);
    const auto far = quantityOf(network.start, &LinkType::latency, "Latency of the network", network.latency,
                                measures::microseconds);
    return (factors(op).near > 0.0 ? near + far : far) + explainTransfer(op, payloadBytes);
}

} // namespace heteroscape::engine
