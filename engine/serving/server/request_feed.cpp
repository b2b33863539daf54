// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server/request_feed.h"

namespace heteroscape::engine {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

RequestFeed::RequestFeed(const ServerTraffic& traffic, double think) : m_traffic(traffic), m_think(think) {
    if (isOpen())
        return;
    const auto users = std::min<std::uint64_t>(std::max<std::uint64_t>(traffic.users, 1), sessions());
    m_firstWave = users;
    double way = 0.0;
    for (std::uint64_t user = 0; user < users; ++user) {
        way += traffic.frontRequest + traffic.frontToken * traffic.requests[user * traffic.turns].size.prompt;
        begin(0.0, way);
    }
}

void RequestFeed::begin(double arrival, double ready) {
    const auto index = static_cast<std::uint32_t>(m_nextSession++ * m_traffic.turns);
    m_lastReady = std::max(m_lastReady, ready);
    if (m_traffic.turns > 1)
        m_turns.push({m_lastReady, arrival, index});
    else
        m_inOrder.push_back({m_lastReady, arrival, index});
}

bool RequestFeed::openFirst() const {
    if (!isOpen() || m_nextSession == sessions())
        return false;
    const double start = m_traffic.starts[m_nextSession] + m_think;
    return m_turns.empty() || start <= m_turns.top().ready;
}

double RequestFeed::nextReady() const {
    if (openFirst())
        return m_traffic.starts[m_nextSession] + m_think;
    if (m_traffic.turns > 1)
        return m_turns.empty() ? kNever : m_turns.top().ready;
    return m_head == m_inOrder.size() ? kNever : m_inOrder[m_head].ready;
}

RequestFeed::Sent RequestFeed::take() {
    if (openFirst()) {
        const double start = m_traffic.starts[m_nextSession];
        const auto index = static_cast<std::uint32_t>(m_nextSession++ * m_traffic.turns);
        return {start + m_think, start, index};
    }
    if (m_traffic.turns > 1) {
        const auto sent = m_turns.top();
        m_turns.pop();
        return sent;
    }
    const auto sent = m_inOrder[m_head++];
    if (m_head == m_inOrder.size()) {
        m_inOrder.clear(); // keeps its storage
        m_head = 0;
    }
    return sent;
}

void RequestFeed::answered(std::uint32_t index, double now) {
    if ((index + 1) % m_traffic.turns != 0) {
        const double arrival = now + m_traffic.pause;
        m_turns.push({arrival + m_think, arrival, index + 1});
    } else if (!isOpen() && m_nextSession < sessions()) {
        begin(now, now + m_think);
    }
}

} // namespace heteroscape::engine
