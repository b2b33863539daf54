// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// Which nodes of a system are linked to each other, directly or through others. Made for one scenario;
/// asking is then a lookup.
class ConnectedParts {
public:
    explicit ConnectedParts(const Scenario& scenario);

    std::size_t index(const NodeId& id) const { return m_index.at(id.value); } ///< in nodes
    bool contains(const NodeId& id) const { return m_index.contains(id.value); }
    /// Index of the node that stands for the part a node belongs to.
    std::size_t part(std::size_t node) const { return m_part[node]; }
    std::size_t size(std::size_t node) const { return m_size[m_part[node]]; } ///< nodes of its part
    /// True when there is a way over links from one to the other through what passes on (see passesOn()).
    bool reaches(std::size_t from, std::size_t to) const;
    bool isLinked(std::size_t node) const { return m_size[m_part[node]] > 1; }

private:
    std::unordered_map<std::string, std::size_t> m_index;
    std::vector<std::size_t> m_part;
    std::vector<std::size_t> m_size; ///< of each node that stands for a part
    std::vector<std::size_t>
        m_relay; ///< the relays that pass on to each other, by the one that stands for them
    std::vector<std::vector<std::size_t>> m_near;   ///< those that each node is linked to, or is one of
    std::vector<std::vector<std::size_t>> m_direct; ///< nodes that each is linked to
};

/// True when what comes over one link may leave over another: hosts and switches pass on, accelerators and
/// storage do not. Every search for a way over links holds to it.
bool passesOn(DeviceKind kind);

/// Nodes and links of a scenario by their indices, so that walking over them needs no ids. Keeps its storage:
/// resetting it for scenarios of the same size does not allocate.
class LinkGraph {
public:
    using Ends = std::pair<std::size_t, std::size_t>;

    /// Links must end at nodes of the scenario.
    void reset(const Scenario& scenario);

    std::size_t nodeCount() const { return m_firstLink.empty() ? 0 : m_firstLink.size() - 1; }
    std::size_t linkCount() const { return m_ends.size(); }
    const Ends& ends(std::size_t link) const { return m_ends[link]; }
    std::size_t otherEnd(std::size_t link, std::size_t node) const {
        return m_ends[link].first == node ? m_ends[link].second : m_ends[link].first;
    }
    /// The links of a node, in their order in the scenario.
    std::span<const std::size_t> linksOf(std::size_t node) const {
        return {m_linksOf.data() + m_firstLink[node], m_firstLink[node + 1] - m_firstLink[node]};
    }
    bool passesOn(std::size_t node) const { return m_passesOn[node] != 0; }
    double parallel(std::size_t link) const { return m_parallel[link]; } ///< see parallelLinks()

private:
    std::vector<Ends> m_ends;
    std::vector<double> m_parallel;
    std::vector<char> m_passesOn;         // of each node
    std::vector<std::size_t> m_firstLink; // of each node, into m_linksOf
    std::vector<std::size_t> m_linksOf;
    std::vector<std::size_t> m_order; // nodes by id
    std::vector<std::size_t> m_next;  // while filling m_linksOf

    std::size_t indexOf(const Scenario& scenario, const NodeId& id) const;
};

/// The links of a system as a network: what can be carried from some nodes to another at once. A link carries
/// its bandwidth x its parallel links each way; what a node may pass on see passesOn().
/// Keeps its storage, so that asking again for scenarios of the same size does not allocate.
class LinkFlow {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void reset(const Scenario& scenario);
    const LinkGraph& graph() const { return m_graph; }

    /// Searches breadth first from a node; visit(node) is called for each one reached, and stops the search
    /// by returning true.
    template <class Visit>
    void forEachReached(std::size_t start, Visit visit) {
        m_arrivedBy.assign(m_graph.nodeCount(), kNone);
        m_queue.assign(1, start);
        for (std::size_t head = 0; head < m_queue.size(); ++head) {
            const auto at = m_queue[head];
            if (head > 0 && !m_graph.passesOn(at))
                continue;
            for (const auto link : m_graph.linksOf(at)) {
                const auto next = m_graph.otherEnd(link, at);
                if (next == start || m_arrivedBy[next] != kNone)
                    continue;
                m_arrivedBy[next] = link;
                m_queue.push_back(next);
                if (visit(next))
                    return;
            }
        }
    }

    /// The largest flow in B/s from nodes that can send `supply` B/s each (0: none) to `sink` (Edmonds and
    /// Karp, J. ACM 1972). More supply, links or bandwidth never lower it.
    double solve(std::span<const double> supply, std::size_t sink);
    /// Of the last solve(): B/s over a link.
    double onLink(std::size_t link) const { return std::abs(m_flow[link]); }

private:
    LinkGraph m_graph;
    std::vector<double> m_capacity; // of each link, B/s
    std::vector<double> m_flow;     // of each link, positive from its first end to its second
    std::vector<double> m_left;     // supply of each node
    std::vector<std::size_t> m_arrivedBy;
    std::vector<std::size_t> m_queue;

    double room(std::size_t link, std::size_t from) const;
    bool augment(std::size_t sink, double& total);
};

} // namespace heteroscape::engine
