// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/sessions.h"
#include "engine/serving/event_loop.h"

namespace heteroscape::engine {

/// A request as a server takes it.
struct ServerRequest {
    RequestSize size;
    double cached = 0.0;        ///< tokens of the prompt whose KV cache is there already; at least 1 is not
    std::uint32_t priority = 0; ///< class; 0 goes first
};

/// Requests of any kind of arrivals: of a closed loop (a fixed number of users, each of whom sends a request
/// when the one before is answered), or with a time each. Requests stand in sessions of `turns` that are sent
/// one after another, each when the one before is answered and read.
struct ServerTraffic {
    std::vector<ServerRequest> requests; ///< session by session, turn by turn
    std::vector<double> starts;          ///< s, of each session, rising; empty: a closed loop
    std::uint64_t users = 0;             ///< of a closed loop: so many sessions go on at one time
    std::uint64_t turns = 1;
    double pause = 0.0;        ///< s in which an answer is read before the next turn is sent
    double frontRequest = 0.0; ///< see ServerSettings; the first sessions of a closed loop
    double frontToken = 0.0;
    double think = kHalfRequest; ///< s from there to the queue

    /// think: half of ServerSettings::request.
    static constexpr double kHalfRequest = std::numeric_limits<double>::quiet_NaN();
};

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
        bool operator>(const Sent& other) const { return index > other.index; }
    };

    /// When the next request reaches the queue; endless: none does before another is answered.
    double nextReady() const;
    Sent take(); ///< the one that nextReady() tells of

    /// A request is answered at `now`: its user sends the next.
    void answered(std::uint32_t index, double now);

private:
    const ServerTraffic& m_traffic;
    double m_think;
    std::size_t m_nextSession = 0; ///< that nobody has begun
    double m_lastReady = 0.0;
    EndQueue<double, Sent> m_sent; ///< by when they are ready
    std::vector<Sent> m_row;       ///< in their place of a closed loop of single turns, which come in order
    std::size_t m_taken = 0;       ///< of m_row

    std::size_t sessions() const { return m_traffic.requests.size() / m_traffic.turns; }
    bool isOpen() const { return !m_traffic.starts.empty(); }
    bool inRow() const { return !isOpen() && m_traffic.turns == 1; }
    void begin(double arrival, double ready);
    bool openFirst() const; ///< the next session of those with a time comes before what is sent
};

} // namespace heteroscape::engine
