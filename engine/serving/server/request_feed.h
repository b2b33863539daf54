// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/server.h"

#include <queue>

namespace heteroscape::engine {

/// Says which request of a traffic reaches the queue when. Requests of one turn come in the order of their
/// index: none before one of a lower index.
class RequestFeed {
public:
    /// `think`: s from an answer to the queue. The traffic outlives the feed.
    RequestFeed(const ServerTraffic& traffic, double think);

    struct Sent {
        double ready = 0.0; ///< s, reaches the queue
        double arrival = 0.0;
        std::uint32_t index = 0;
        bool operator>(const Sent& other) const {
            return ready != other.ready ? ready > other.ready : index > other.index;
        }
    };

    /// When the next request reaches the queue; endless: none does before another is answered.
    double nextReady() const;
    Sent take(); ///< the one that nextReady() tells of

    /// A request is answered at `now`: its user sends the next.
    void answered(std::uint32_t index, double now);

    std::uint64_t firstWave() const { return m_firstWave; }

private:
    const ServerTraffic& m_traffic;
    double m_think;
    std::uint64_t m_firstWave = 0;
    std::size_t m_nextSession = 0; ///< that nobody has begun
    double m_lastReady = 0.0;
    std::vector<Sent> m_inOrder; ///< from m_head: sent, of sessions of one turn
    std::size_t m_head = 0;
    std::priority_queue<Sent, std::vector<Sent>, std::greater<>> m_turns; ///< sent, of longer sessions

    std::size_t sessions() const { return m_traffic.requests.size() / m_traffic.turns; }
    bool isOpen() const { return !m_traffic.starts.empty(); }
    void begin(double arrival, double ready);
    bool openFirst() const; ///< the next session of those with a time comes before what is sent
};

} // namespace heteroscape::engine
