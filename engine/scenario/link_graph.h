// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
