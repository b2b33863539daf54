// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/connected_parts.h"

#include <numeric>

namespace heteroscape::engine {

ConnectedParts::ConnectedParts(const Scenario& scenario)
    : m_part(scenario.nodes.size()), m_size(scenario.nodes.size(), 0) {
    m_index.reserve(scenario.nodes.size());
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        m_index.emplace(scenario.nodes[i].id.value, i);
    std::iota(m_part.begin(), m_part.end(), std::size_t{0});
    const auto root = [this](std::size_t at) {
        while (m_part[at] != at)
            at = m_part[at] = m_part[m_part[at]];
        return at;
    };
    for (const auto& link : scenario.links)
        m_part[root(index(link.from))] = root(index(link.to));
    for (std::size_t i = 0; i < m_part.size(); ++i)
        ++m_size[m_part[i] = root(i)];
}

} // namespace heteroscape::engine
