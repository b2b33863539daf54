// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/simulation.h"

#include <algorithm>

namespace heteroscape::engine {

/// The loop of the simulation. Time goes from event to event: at each what is over ends, and then what can
/// begin begins. How batches are formed, and what they take, is said by the rules that derive from it.
class EventLoop {
public:
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;
    virtual ~EventLoop() = default;

protected:
    /// Of `size` requests.
    explicit EventLoop(std::uint64_t size) : m_size(size) {}
    /// On to the last event, or to `until`; false: it was asked to stop before.
    bool runTo(double until, const SimulationOptions& options);

    double m_now = 0.0;           ///< s
    double m_inSystem = 0.0;      ///< requests
    double m_systemSeconds = 0.0; ///< request seconds: the number in the system over time
    std::uint64_t m_done = 0;     ///< requests

private:
    virtual void begin() = 0;       ///< what can begin now
    virtual double nextEvent() = 0; ///< s, of what began; endless: nothing is left
    virtual void end() = 0;         ///< what is over now

    std::uint64_t m_size;
};

/// What ends when (at a time, or after so many steps): the first on top, of several at once the one of the
/// lowest id.
template <class When, class Id>
class EndQueue {
public:
    struct End {
        When when;
        Id id;
        bool operator>(const End& other) const {
            return when != other.when ? when > other.when : id > other.id;
        }
    };

    bool empty() const { return m_ends.empty(); }
    std::size_t size() const { return m_ends.size(); }
    const End& first() const { return m_ends.front(); }
    void add(When when, Id id) {
        m_ends.push_back({when, id});
        std::push_heap(m_ends.begin(), m_ends.end(), std::greater<>());
    }
    End take() {
        std::pop_heap(m_ends.begin(), m_ends.end(), std::greater<>());
        const auto end = m_ends.back();
        m_ends.pop_back();
        return end;
    }
    /// The end of one that is among them.
    When remove(Id id) {
        const auto at =
            std::find_if(m_ends.begin(), m_ends.end(), [&](const End& end) { return end.id == id; });
        const auto when = at->when;
        m_ends.erase(at);
        std::make_heap(m_ends.begin(), m_ends.end(), std::greater<>());
        return when;
    }

private:
    std::vector<End> m_ends; ///< a heap
};

} // namespace heteroscape::engine
