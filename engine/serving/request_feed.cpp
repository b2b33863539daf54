// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/request_feed.h"

namespace heteroscape::engine {

RequestFeed::RequestFeed(const ServerTraffic& traffic, double think) : m_traffic(traffic), m_think(think) {
    if (isOpen())
        return;
    const auto users = std::min<std::uint64_t>(std::max<std::uint64_t>(traffic.users, 1), sessions());
    if (inRow())
        m_row.reserve(sessions());
    double way = 0.0;
    for (std::uint64_t user = 0; user < users; ++user) {
        way += traffic.frontRequest + traffic.frontToken * traffic.requests[user * traffic.turns].size.prompt;
        begin(0.0, way);
    }
}

void RequestFeed::begin(double arrival, double ready) {
    const auto index = static_cast<std::uint32_t>(m_nextSession++ * m_traffic.turns);
    m_lastReady = std::max(m_lastReady, ready);
    if (inRow())
        m_row.push_back({m_lastReady, arrival, index});
    else
        m_sent.add(m_lastReady, {m_lastReady, arrival, index});
}

bool RequestFeed::openFirst() const {
    if (!isOpen() || m_nextSession == sessions())
        return false;
    const double start = m_traffic.starts[m_nextSession] + m_think;
    return m_sent.empty() || start <= m_sent.first().when;
}

double RequestFeed::nextReady() const {
    if (inRow())
        return m_taken < m_row.size() ? m_row[m_taken].ready : std::numeric_limits<double>::infinity();
    if (openFirst())
        return m_traffic.starts[m_nextSession] + m_think;
    return m_sent.empty() ? std::numeric_limits<double>::infinity() : m_sent.first().when;
}

RequestFeed::Sent RequestFeed::take() {
    if (inRow())
        return m_row[m_taken++];
    if (openFirst()) {
        const double start = m_traffic.starts[m_nextSession];
        const auto index = static_cast<std::uint32_t>(m_nextSession++ * m_traffic.turns);
        return {start + m_think, start, index};
    }
    return m_sent.take().id;
}

void RequestFeed::answered(std::uint32_t index, double now) {
    if ((index + 1) % m_traffic.turns != 0) {
        const double arrival = now + m_traffic.pause;
        m_sent.add(arrival + m_think, {arrival + m_think, arrival, index + 1});
    } else if (!isOpen() && m_nextSession < sessions()) {
        begin(now, now + m_think);
    }
}

} // namespace heteroscape::engine
