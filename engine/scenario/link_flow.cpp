// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/link_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
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
                parallel = std::max<double>(parallel, nodes[end].count.value);
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

void LinkFlow::reset(const Scenario& scenario) {
    m_graph.reset(scenario);
    m_capacity.clear();
    for (std::size_t l = 0; l < scenario.links.size(); ++l)
        m_capacity.push_back(scenario.links[l].type.bandwidth.value * m_graph.parallel(l));
}

/// What more can go over a link from one of its ends. Into a node that passes nothing on, only as much as
/// comes out of it over this link: what it then sends another way.
double LinkFlow::room(std::size_t link, std::size_t from) const {
    const bool forward = m_graph.ends(link).first == from;
    const double flow = forward ? m_flow[link] : -m_flow[link];
    const auto to = m_graph.otherEnd(link, from);
    return m_graph.passesOn(to) ? m_capacity[link] - flow : std::max(0.0, -flow);
}

/// Sends as much as fits along a shortest path with room.
bool LinkFlow::augment(std::size_t sink, double& total) {
    constexpr double kRounding = 1e-12;
    m_arrivedBy.assign(m_graph.nodeCount(), kNone);
    m_queue.clear();
    const auto isStart = [&](std::size_t node) { return m_left[node] > 0.0; };
    for (std::size_t n = 0; n < m_left.size(); ++n)
        if (isStart(n))
            m_queue.push_back(n);
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const auto at = m_queue[head];
        for (const auto link : m_graph.linksOf(at)) {
            const auto next = m_graph.otherEnd(link, at);
            if (isStart(next) || m_arrivedBy[next] != kNone || room(link, at) <= kRounding * m_capacity[link])
                continue;
            m_arrivedBy[next] = link;
            m_queue.push_back(next);
        }
    }
    if (m_arrivedBy[sink] == kNone)
        return false;
    double sent = std::numeric_limits<double>::infinity();
    auto at = sink;
    for (; !isStart(at); at = m_graph.otherEnd(m_arrivedBy[at], at))
        sent = std::min(sent, room(m_arrivedBy[at], m_graph.otherEnd(m_arrivedBy[at], at)));
    sent = std::min(sent, m_left[at]);
    const auto start = at;
    for (at = sink; at != start;) {
        const auto link = m_arrivedBy[at];
        const auto from = m_graph.otherEnd(link, at);
        m_flow[link] += m_graph.ends(link).first == from ? sent : -sent;
        at = from;
    }
    m_left[start] -= sent;
    if (m_left[start] <= kRounding * sent)
        m_left[start] = 0.0;
    total += sent;
    return true;
}

double LinkFlow::solve(std::span<const double> supply, std::size_t sink) {
    m_flow.assign(m_graph.linkCount(), 0.0);
    m_left.assign(supply.begin(), supply.end());
    m_left[sink] = 0.0;
    double total = 0.0;
    while (augment(sink, total)) {
    }
    return total;
}

} // namespace heteroscape::engine
