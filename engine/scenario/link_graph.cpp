// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/link_graph.h"

#include <algorithm>
#include <numeric>

namespace heteroscape::engine {

bool passesOn(DeviceKind kind) {
    return isFabric(kind);
}

std::size_t LinkGraph::indexOf(const Scenario& scenario, const NodeId& id) const {
    return *std::lower_bound(m_order.begin(), m_order.end(), id, [&](std::size_t node, const NodeId& wanted) {
        return scenario.nodes[node].id < wanted;
    });
}

void LinkGraph::reset(const Scenario& scenario) {
    const auto& nodes = scenario.nodes;
    m_order.resize(nodes.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::sort(m_order.begin(), m_order.end(),
              [&](std::size_t a, std::size_t b) { return nodes[a].id < nodes[b].id; });
    m_passesOn.clear();
    for (const auto& node : nodes)
        m_passesOn.push_back(engine::passesOn(node.device.kind) ? 1 : 0);
    m_ends.clear();
    m_parallel.clear();
    m_firstLink.assign(nodes.size() + 1, 0);
    for (const auto& link : scenario.links) {
        const Ends ends{indexOf(scenario, link.from), indexOf(scenario, link.to)};
        double parallel = 1.0;
        for (const auto end : {ends.first, ends.second})
            if (!isFabric(nodes[end].device.kind))
                parallel = std::max(parallel, nodes[end].count.value);
        m_ends.push_back(ends);
        m_parallel.push_back(parallel);
        ++m_firstLink[ends.first + 1];
        ++m_firstLink[ends.second + 1];
    }
    for (std::size_t n = 1; n < m_firstLink.size(); ++n)
        m_firstLink[n] += m_firstLink[n - 1];
    m_linksOf.assign(2 * m_ends.size(), 0);
    m_next.assign(m_firstLink.begin(), m_firstLink.end());
    for (std::size_t l = 0; l < m_ends.size(); ++l) {
        m_linksOf[m_next[m_ends[l].first]++] = l;
        m_linksOf[m_next[m_ends[l].second]++] = l;
    }
}

} // namespace heteroscape::engine
