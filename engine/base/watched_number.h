// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <span>

namespace heteroscape::engine {

class WatchedNumber;

/// Sees which of some numbers are read on this thread while it lives, so that what an answer rests on need
/// not be listed by hand. A copy is a read. Of several the last one sees.
class ReadRecord {
public:
    /// Sets seen[i] to 1 when numbers[i] is read; null stands for none.
    ReadRecord(std::span<WatchedNumber* const> numbers, std::span<char> seen)
        : m_numbers(numbers), m_seen(seen), m_before(s_current) {
        s_current = this;
    }
    ~ReadRecord() { s_current = m_before; }
    ReadRecord(const ReadRecord&) = delete;
    ReadRecord& operator=(const ReadRecord&) = delete;

private:
    friend class WatchedNumber;

    void note(const WatchedNumber* number) {
        for (std::size_t i = 0; i < m_numbers.size(); ++i)
            if (m_numbers[i] == number)
                m_seen[i] = 1;
    }

    std::span<WatchedNumber* const> m_numbers;
    std::span<char> m_seen;
    ReadRecord* m_before;
    static inline constinit thread_local ReadRecord* s_current = nullptr;
};

/// A double that a ReadRecord can watch; it reads and is set as one.
class WatchedNumber {
public:
    explicit WatchedNumber(double value = std::numeric_limits<double>::quiet_NaN()) : m_value(value) {}
    WatchedNumber(const WatchedNumber& other) : m_value(other) {}
    WatchedNumber& operator=(const WatchedNumber& other) { return *this = static_cast<double>(other); }
    WatchedNumber& operator=(double value) {
        m_value = value;
        return *this;
    }

    operator double() const {
        if (auto* record = ReadRecord::s_current) [[unlikely]]
            record->note(this);
        return m_value;
    }
    double unwatched() const { return m_value; }

    WatchedNumber& operator+=(double other) { return *this = m_value + other; }
    WatchedNumber& operator-=(double other) { return *this = m_value - other; }
    WatchedNumber& operator*=(double other) { return *this = m_value * other; }
    WatchedNumber& operator/=(double other) { return *this = m_value / other; }

private:
    double m_value;
};

} // namespace heteroscape::engine
