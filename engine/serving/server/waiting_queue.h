// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/server.h"

#include <algorithm>

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

} // namespace heteroscape::engine
