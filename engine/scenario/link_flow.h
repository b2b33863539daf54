// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/link_graph.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace heteroscape::engine {

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
