// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscape::engine {

/// Where requests stand at one time.
struct Depth {
    double waiting = 0.0; ///< not prefilled yet
    double staged = 0.0;  ///< prefilled, no decode replica yet
    double running = 0.0; ///< in a prefill, a KV transfer or a decode
    double total() const { return waiting + staged + running; }
};

/// Mean numbers of requests over time, in bounded memory: spans of equal length, which double when the
/// simulated time outgrows them.
class DepthSeries {
public:
    static constexpr std::size_t kSpans = 2048; ///< at most

    /// Spans long enough for so many seconds from the start: none is widened on the way.
    void expect(double seconds) {
        while (seconds > m_span * static_cast<double>(kSpans))
            widen();
    }
    /// `depth` held from the time of the last call (first: 0) to `now`.
    void hold(const Depth& depth, double now);

    double spanSeconds() const { return m_span; }
    std::size_t size() const { return m_spans.size(); }
    Depth mean(std::size_t span) const; ///< over the part of it that is simulated
    double largestWaiting(std::size_t span) const { return m_spans[span].largestWaiting; }
    double seconds() const { return m_now; }

    /// Over the whole time.
    Depth mean() const;
    Depth requestSeconds() const; ///< what the means are over: numbers of requests, integrated over time
    double largestWaiting() const;

private:
    struct Span {
        std::array<double, 3> seconds{}; // request seconds waiting, staged, running
        double largestWaiting = 0.0;
    };
    std::vector<Span> m_spans;
    double m_span = 0x1p-20; // s; a power of two: the ends of spans are exact
    double m_now = 0.0;

    void widen();
};

/// What many values of one kind look like, in bounded memory: exact up to a million of them; beyond,
/// quantiles are read off logarithmic bins and are at most 0.05% away. Values are 0 or more.
class Distribution {
public:
    static constexpr std::size_t kExact = std::size_t{1} << 20;

    void add(double value);

    std::uint64_t count() const { return m_count; }
    double sum() const { return m_sum; }
    double mean() const;    ///< NaN without values
    double largest() const; ///< NaN without values
    /// The smallest value that a share of `q` (0..1) of the values does not exceed (nearest rank); NaN
    /// without values.
    double quantile(double q) const;

private:
    std::uint64_t m_count = 0;
    double m_sum = 0.0;
    double m_lost = 0.0; // what rounding took off the sum (Kahan)
    double m_smallest = 0.0;
    double m_largest = 0.0;
    mutable std::vector<double> m_values; // in another order each time a quantile is asked for
    std::vector<std::uint64_t> m_bins;    // once there are too many values

    void bin(double value);
};

} // namespace heteroscape::engine
