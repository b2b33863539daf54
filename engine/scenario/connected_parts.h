// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <unordered_map>
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

} // namespace heteroscape::engine
