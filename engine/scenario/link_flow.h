// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// The links of a system as a network: what can be carried from some nodes to another at once. A link carries
/// its bandwidth x its parallel links each way; hosts and switches pass on, accelerators and storage do not.
/// Keeps its storage, so that asking again for scenarios of the same size does not allocate.
class LinkFlow {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void reset(const Scenario& scenario);

    /// Searches breadth first from a node; visit(node) is called for each one reached, and stops the search
    /// by returning true.
    template <class Visit>
    void forEachReached(std::size_t start, Visit visit) {
        m_arrivedBy.assign(m_relays.size(), kNone);
        m_queue.assign(1, start);
        for (std::size_t head = 0; head < m_queue.size(); ++head) {
            const auto at = m_queue[head];
            if (head > 0 && !m_relays[at])
                continue;
            for (auto i = m_firstLink[at]; i < m_firstLink[at + 1]; ++i) {
                const auto next = otherEnd(m_linksOf[i], at);
                if (next == start || m_arrivedBy[next] != kNone)
                    continue;
                m_arrivedBy[next] = m_linksOf[i];
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
    std::vector<std::pair<std::size_t, std::size_t>> m_ends; // of each link
    std::vector<double> m_capacity;                          // of each link, B/s
    std::vector<char> m_relays;                              // of each node
    std::vector<std::size_t> m_firstLink;                    // of each node, into m_linksOf
    std::vector<std::size_t> m_linksOf;
    std::vector<double> m_flow; // of each link, positive from its first end to its second
    std::vector<double> m_left; // supply of each node
    std::vector<std::size_t> m_arrivedBy;
    std::vector<std::size_t> m_queue;

    std::size_t otherEnd(std::size_t link, std::size_t node) const {
        return m_ends[link].first == node ? m_ends[link].second : m_ends[link].first;
    }
    double room(std::size_t link, std::size_t from) const;
    bool augment(std::size_t sink, double& total);
};

} // namespace heteroscape::engine
