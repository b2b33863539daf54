// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace heteroscape::engine {

/// A link whose transfers share it alike: m at one time each move at 1 / m of its bandwidth (processor
/// sharing: Kleinrock, Queueing Systems II, section 4.4). Kept by what each has moved since the start.
class SharedLink {
public:
    /// A transfer that would take `seconds` alone. Calls come in the order of time.
    void add(std::uint32_t index, double seconds, double now) {
        advance(now);
        m_transfers.push_back({m_moved + seconds, index});
        std::push_heap(m_transfers.begin(), m_transfers.end(), std::greater<>());
    }
    /// When the next one is done, if none is added.
    double nextDone() const {
        if (m_transfers.empty())
            return std::numeric_limits<double>::infinity();
        return m_now + (m_transfers.front().end - m_moved) * static_cast<double>(m_transfers.size());
    }
    /// Takes out the one that is done at nextDone().
    std::uint32_t takeDone() {
        const double time = nextDone();
        const auto done = m_transfers.front();
        carried(done.end - m_moved, time - m_now);
        m_now = time;
        m_moved = done.end;
        std::pop_heap(m_transfers.begin(), m_transfers.end(), std::greater<>());
        m_transfers.pop_back();
        return done.index;
    }
    /// What it carried while it carried anything, of its bandwidth.
    double carriedShare() const { return m_busy > 0.0 ? m_carried / m_busy : 0.0; }

private:
    struct Transfer {
        double end; ///< of m_moved
        std::uint32_t index;
        bool operator>(const Transfer& other) const {
            return end != other.end ? end > other.end : index > other.index;
        }
    };
    std::vector<Transfer> m_transfers; ///< a heap
    double m_moved = 0.0; ///< seconds of its bandwidth that each transfer was given since the start
    double m_now = 0.0;
    double m_carried = 0.0; ///< s of its bandwidth, of all transfers
    double m_busy = 0.0;

    void advance(double now) {
        if (!m_transfers.empty() && now > m_now) {
            const double each = (now - m_now) / static_cast<double>(m_transfers.size());
            carried(each, now - m_now);
            m_moved += each;
        }
        m_now = std::max(m_now, now);
    }
    void carried(double each, double seconds) {
        m_carried += each * static_cast<double>(m_transfers.size());
        m_busy += seconds;
    }
};

} // namespace heteroscape::engine
