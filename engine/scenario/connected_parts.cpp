// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/connected_parts.h"

#include "engine/scenario/link_graph.h"

#include <algorithm>
#include <numeric>

namespace heteroscape::engine {

namespace {

std::size_t rootOf(std::vector<std::size_t>& parts, std::size_t at) {
    while (parts[at] != at)
        at = parts[at] = parts[parts[at]];
    return at;
}

} // namespace

ConnectedParts::ConnectedParts(const Scenario& scenario)
    : m_part(scenario.nodes.size()), m_size(scenario.nodes.size(), 0), m_near(scenario.nodes.size()),
      m_direct(scenario.nodes.size()) {
    const auto& nodes = scenario.nodes;
    m_index.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        m_index.emplace(nodes[i].id.value, i);
    std::iota(m_part.begin(), m_part.end(), std::size_t{0});
    m_relay = m_part;
    const auto passes = [&](std::size_t node) { return passesOn(nodes[node].device.kind); };
    for (const auto& link : scenario.links) {
        const auto from = index(link.from);
        const auto to = index(link.to);
        m_part[rootOf(m_part, from)] = rootOf(m_part, to);
        if (passes(from) && passes(to))
            m_relay[rootOf(m_relay, from)] = rootOf(m_relay, to);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        ++m_size[m_part[i] = rootOf(m_part, i)];
        m_relay[i] = rootOf(m_relay, i);
        if (passes(i))
            m_near[i].push_back(m_relay[i]);
    }
    for (const auto& link : scenario.links) {
        const auto from = index(link.from);
        const auto to = index(link.to);
        m_direct[from].push_back(to);
        m_direct[to].push_back(from);
        if (passes(to))
            m_near[from].push_back(m_relay[to]);
        if (passes(from))
            m_near[to].push_back(m_relay[from]);
    }
}

bool ConnectedParts::reaches(std::size_t from, std::size_t to) const {
    const auto& direct = m_direct[from];
    const auto& near = m_near[from];
    const auto& others = m_near[to];
    return from == to || std::find(direct.begin(), direct.end(), to) != direct.end() ||
           std::find_first_of(near.begin(), near.end(), others.begin(), others.end()) != near.end();
}

} // namespace heteroscape::engine
