// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/link_type.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/term.h"
#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

/// B that each device sends over the link inside its domain, and over the network beyond.
struct SentBytes {
    double near = 0.0;
    double far = 0.0;
};

/// What the devices that share a model do together over their links:
///   seconds = latency + r S / bandwidth,   none for one device,
/// S the payload in bytes, bandwidth what one device sends each way. Of an allreduce r = 1 (literal),
/// 2 (n - 1) / n (ring) or 2 (tree: up and down, in pipeline); of an all-gather or a reduce-scatter of S
/// bytes in all, 1 or (n - 1) / n (ring); 1 of what a device sends to others (all-to-all, send). Literal is
/// the sentence of PRESERVE section 5 ("latency plus size over bandwidth"), ring the bandwidth-optimal
/// algorithm (Patarasuk and Yuan, J. Parallel Distrib. Comput. 2009).
///
/// More ranks than the link joins, n > l, take the network between the domains as well, N = n / l of them:
///   allreduce, all-gather, reduce-scatter   that of l ranks inside, that of N ranks with S / l between;
///   the same as a flat ring                 r S over the slower of the two links, r of n ranks;
///   all-to-all    (n - l) / (n - 1) of S over the network, the rest inside, at the same time;
///   send          of the boundaries between stages, stage / l (at most all) lie between domains: a mean one.
/// Source: moe_parallel, section 5, Links.
struct Collective {
    double devices = 1.0;
    double bandwidth = 0.0; ///< B/s
    double latency = 0.0;   ///< s
    AllReduceConvention convention = AllReduceConvention::Literal;
    const LinkType* link = nullptr; ///< where bandwidth and latency are from, for explain(); may be null

    /// Beyond the domain of the link.
    struct Network {
        double domain = 0.0;    ///< l
        double bandwidth = 0.0; ///< B/s of each device; 0: there is none, or the domain holds all
        double latency = 0.0;   ///< s
        const LinkType* link = nullptr;
    };
    Network network{};
    double stage = 0.0; ///< devices of a stage of a pipeline

    /// r of an operator among its ranks; 0 for one that is no collective, or has one rank.
    double trafficFactor(const Operator& op) const;
    SentBytes sent(const Operator& op, double payloadBytes) const; ///< the same, over which link
    double seconds(const Operator& op, double payloadBytes) const;
    /// What of it the link is in use: r S / bandwidth. No step is shorter than that of all its collectives,
    /// however well they hide behind other work.
    double transferSeconds(const Operator& op, double payloadBytes) const;
    // How these come about; nothing for one device.
    Term explain(const Operator& op, const Term& payloadBytes) const;
    Term explainTransfer(const Operator& op, const Term& payloadBytes) const;

private:
    double ranks(const Operator& op) const { return op.ranks > 0.0 ? op.ranks : devices; }
    bool crosses(const Operator& op) const;
    bool isFlat(const Operator& op) const;                ///< one ring over all domains
    double flatFactor(OperatorKind kind, double n) const; ///< r among n ranks
    SentBytes factors(const Operator& op) const;
};

} // namespace heteroscape::engine
