// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/scenario/link_flow.h"
#include "engine/scenario/scenario.h"

#include <cstddef>
#include <span>
#include <vector>

namespace heteroscape::engine {

/// Finds the links that a KV cache takes between two nodes. Keeps its storage, so that asking again for
/// scenarios of the same size does not allocate.
class KvPaths {
public:
    void reset(const Scenario& scenario);
    const LinkGraph& graph() const { return m_graph; }
    /// Searches from one node over what passes on (see passesOn()), fewest hops first, links in their order.
    void searchFrom(std::size_t node);
    /// Indices of the links from the start to `node`, in the order of travel; empty when there is no way.
    const std::vector<std::size_t>& linksTo(std::size_t node);

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    LinkGraph m_graph;
    std::vector<std::size_t> m_arrivedBy; // link by which a node was first reached
    std::vector<std::size_t> m_queue;
    std::vector<std::size_t> m_path;
    std::size_t m_start = kNone;
};

/// The replicas of one node, each working on one batch at a time. Numbers are double, or Term to explain.
template <class V>
struct SteadyPoolOf {
    Role role = Role::Fabric; ///< effective role
    V replicas{};             ///< at work
    V prefillSeconds{};       ///< one batch on one replica
    V decodeSeconds{};        ///< the whole output of one batch on one replica
    std::string_view name{};  ///< for terms
    V receiveSeconds{};       ///< for which the KV cache of a batch from another pool holds a replica
};
using SteadyPool = SteadyPoolOf<double>;

/// What a pool does in steady state. Rates are batches/s of the whole pool.
template <class V>
struct PoolLoadOf {
    V wholeRate{};   ///< batches both prefilled and decoded here
    V prefillRate{}; ///< batches prefilled here for decode pools
    V decodeRate{};  ///< batches decoded here for prefill pools
    V prefillBusy{}; ///< share of time of each device
    V decodeBusy{};
};
using PoolLoad = PoolLoadOf<double>;

/// Batches that go through the system in one way.
template <class V>
struct WayOf {
    std::size_t from = 0; ///< pool that prefills
    std::size_t to = 0;   ///< pool that decodes; the same for whole requests
    V rate{};             ///< batches/s
};

template <class V>
struct SteadyStateOf {
    V rate{};                   ///< batches/s of the system
    V transferred{};            ///< of which go from a prefill to a decode pool
    bool prefillLimits = false; ///< the prefill pools are the slower ones of the split part
};
using SteadyState = SteadyStateOf<double>;

/// Steady state under backlog: the throughput of GLITCHES section V-B's systems of n cards, for any pools:
///   whole-request pools:   rate += n / (Tp + Td)
///   split pools:           r = min(sum n_i / Tp_i over prefill, sum n_j / (Tr_j + Td_j) over decode),
///                          rate += r
///   with assist:           each prefill pool serves n_i (1 - r / sum n/Tp) / (Tp_i + Td_i) more whole
///   requests
/// Tp, Td, Tr: prefillSeconds, decodeSeconds, receiveSeconds. Where prefills limit, a replica is there before
/// the prompt is done and takes its KV cache meanwhile; where decodes do, one is taken at a time (section
/// III-C: the FPGA's place for the cache is one, and decode starts when all of it has come). The links are
/// not part of it (see LinkLimit). `loads` is parallel to `pools`.
SteadyState closedForm(std::span<const SteadyPool> pools, bool assist, std::span<PoolLoad> loads);
/// The same with how it comes about.
SteadyStateOf<Term> closedForm(std::span<const SteadyPoolOf<Term>> pools, bool assist,
                               std::span<PoolLoadOf<Term>> loads);

} // namespace heteroscape::engine
