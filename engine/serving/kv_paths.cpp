// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/kv_paths.h"

#include <algorithm>

namespace heteroscape::engine {

void KvPaths::reset(const Scenario& scenario) {
    m_graph.reset(scenario);
}

void KvPaths::searchFrom(std::size_t node) {
    m_arrivedBy.assign(m_graph.nodeCount(), kNone);
    m_start = node;
    m_queue.assign(1, node);
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const auto at = m_queue[head];
        if (at != m_start && !m_graph.passesOn(at))
            continue;
        for (const auto link : m_graph.linksOf(at)) {
            const auto next = m_graph.otherEnd(link, at);
            if (next == m_start || m_arrivedBy[next] != kNone)
                continue;
            m_arrivedBy[next] = link;
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
        at = m_graph.otherEnd(link, at);
    }
    std::reverse(m_path.begin(), m_path.end());
    return m_path;
}

} // namespace heteroscape::engine
