// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/link_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

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
