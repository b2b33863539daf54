// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/link_type.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/term.h"
#include "engine/operators/operator_graph.h"

#include <span>

namespace heteroscape::engine {

/// One link on the way of a KV cache. Numbers are double, or Term to explain.
template <class V>
struct HopOf {
    V bandwidth{};           ///< B/s
    V latency{};             ///< s, of one DMA
    std::string_view name{}; ///< for terms
};
using Hop = HopOf<double>;

/// The KV cache of one batch transferred layer by layer while it is prefilled: two DMAs (K, V) a layer and
/// hop. Source: GLITCHES sections III-C and V-B.
struct KvTransfer {
    double layers = 0.0;
    double bytesPerLayer = 0.0; ///< K and V of the prompt, at the receiver's precision

    /// One hop for one layer: 2 latency + bytes / bandwidth, s.
    double layerSeconds(const Hop& hop) const;
    /// What of one hop its DMAs take to start, all layers, s: a link that takes layers in order waits for
    /// them.
    double startSeconds(const Hop& hop) const;
    /// Everything one after the other, s.
    double serialSeconds(std::span<const Hop> path) const;
    /// What is left when the prefill ends. Layer i (1..L) is ready at prefill x i / L; each hop takes layers
    /// in order:
    ///   a_h(i) = max(a_h(i-1), a_(h-1)(i)) + layerSeconds(hop),  a_0(i) = prefill x i / L;  exposed =
    ///   a_last(L) - prefill.
    double exposedSeconds(std::span<const Hop> path, double prefillSeconds) const;
};

/// How KvTransfer::exposedSeconds() comes about.
Term explainExposed(const Term& layers, const Term& bytesPerLayer, std::span<const HopOf<Term>> path,
                    const Term& prefillSeconds);

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
///   all-to-all    (n - l) / (n - 1) of S over the network, the rest inside, at the same time; where a token
///                 goes once to a rank (Operator::chosen, k), its copies to other nodes, phi (N - 1) / N, of
///                 all, phi(k, n) (n - 1) / n (nodesOfToken(), distinctPlaces());
///   send          of the boundaries between stages, stage / l (at most all) lie between domains: a mean one.
/// Source: moe_parallel, section 5, Links. Over PCIe through the host (peer = 0) a message takes two DMAs:
/// twice the latency.
struct Collective {
    double devices = 1.0;
    double bandwidth = 0.0; ///< B/s
    double latency = 0.0;   ///< s
    AllReduceConvention convention = AllReduceConvention::Literal;
    const LinkType* link = nullptr; ///< where the bandwidth is from, for explain(); may be null

    /// Beyond the domain of the link.
    struct Network {
        double domain = 0.0;    ///< l
        double bandwidth = 0.0; ///< B/s of each device; 0: there is none
        double latency = 0.0;   ///< s
        const LinkType* link = nullptr;
        const LinkType* start = nullptr; ///< where the latency is from, as below
        double energy = 0.0;             ///< J of a byte
    };
    Network network{};
    double stage = 0.0;              ///< devices of a stage of a pipeline
    const LinkType* start = nullptr; ///< where the latency is from: of several links that of the quickest
    double peer = -1.0;              ///< LinkType::peer of PCIe; -1: not set, or another link
    double energy = 0.0;             ///< J of a byte sent over the link

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
    template <class V>
    V starting(const V& seconds) const;
};

/// Of what a device sends in an all-to-all of n ranks the shares that stay in its domain of l, and go beyond.
/// `chosen`: as in Operator.
SentBytes allToAllShares(double n, double l, double chosen);

} // namespace heteroscape::engine
