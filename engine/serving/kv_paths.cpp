// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/kv_paths.h"

#include <algorithm>

namespace heteroscape::engine {

void KvPaths::searchFrom(const Scenario& scenario, std::size_t node) {
    const auto indexOf = [&](const NodeId& id) {
        for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
            if (scenario.nodes[i].id == id)
                return i;
        return kNone;
    };
    m_ends.clear();
    for (const auto& link : scenario.links)
        m_ends.push_back({indexOf(link.from), indexOf(link.to)});
    m_arrivedBy.assign(scenario.nodes.size(), kNone);
    m_start = node;
    m_queue.assign(1, node);
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const auto at = m_queue[head];
        for (std::size_t i = 0; i < m_ends.size(); ++i) {
            const auto [from, to] = m_ends[i];
            if (from != at && to != at)
                continue;
            const auto next = from == at ? to : from;
            if (next == kNone || next == m_start || m_arrivedBy[next] != kNone)
                continue;
            m_arrivedBy[next] = i;
            m_queue.push_back(next);
        }
    }
}

const std::vector<std::size_t>& KvPaths::linksTo(std::size_t node) {
    m_path.clear();
    for (auto at = node; at != m_start;) {
        const auto link = m_arrivedBy[at];
        if (link == kNone) {
            m_path.clear();
            break;
        }
        m_path.push_back(link);
        at = m_ends[link].from == at ? m_ends[link].to : m_ends[link].from;
    }
    std::reverse(m_path.begin(), m_path.end());
    return m_path;
}

} // namespace heteroscape::engine
