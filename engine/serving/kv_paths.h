// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/link_graph.h"

#include <cstddef>
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

} // namespace heteroscape::engine
