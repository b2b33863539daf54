// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/server.h"

#include <algorithm>
#include <queue>

namespace heteroscape::engine {

/// Requests that wait for a server, in the order in which it takes them.
class WaitingQueue {
public:
    explicit WaitingQueue(QueueOrder order) : m_order(order) {}

    bool empty() const { return m_head == m_waiting.size(); }
    std::size_t size() const { return m_waiting.size() - m_head; }
    double tokens() const { return m_tokens; } ///< of prompts, to be done

    /// The first: its index among the requests.
    std::uint32_t front() const { return m_waiting[m_head].index; }

    void push(std::uint32_t index, double tokens, std::uint32_t priority) {
        const double key = m_order == QueueOrder::ShortestFirst ? tokens
                           : m_order == QueueOrder::Priority    ? static_cast<double>(priority)
                                                                : 0.0;
        m_waiting.push_back({key, m_pushed++, tokens, index});
        m_tokens += tokens;
        if (m_order != QueueOrder::FirstCome)
            std::push_heap(m_waiting.begin(), m_waiting.end(), later);
    }
    void pop() {
        m_tokens -= m_waiting[m_head].tokens;
        if (m_order != QueueOrder::FirstCome) {
            std::pop_heap(m_waiting.begin(), m_waiting.end(), later);
            m_waiting.pop_back();
        } else if (++m_head == m_waiting.size()) {
            m_waiting.clear(); // keeps its storage
            m_head = 0;
        }
        if (empty())
            m_tokens = 0.0; // no rounding is carried on
    }

private:
    struct Waiting {
        double key;
        std::uint64_t order;
        double tokens;
        std::uint32_t index;
    };
    QueueOrder m_order;
    std::vector<Waiting> m_waiting; ///< from m_head; a heap where the order is not first come
    std::size_t m_head = 0;
    std::uint64_t m_pushed = 0;
    double m_tokens = 0.0;

    static bool later(const Waiting& a, const Waiting& b) {
        return a.key != b.key ? a.key > b.key : a.order > b.order;
    }
};

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
