// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/simulation.h"

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// What is drawn of a lane: one segment, or what a cell of the time axis holds of several.
struct LaneMark {
    double start = 0.0;    ///< s
    double end = 0.0;      ///< s
    std::size_t first = 0; ///< stands for segments [first, last)
    std::size_t last = 0;
    bool merged = false; ///< narrower than a cell, together with its neighbours
    std::array<double, kServingPhaseCount>
        share{}; ///< of [start, end] that each phase fills; by ServingPhase

    double filled() const; ///< 0..1
    bool operator==(const LaneMark&) const = default;
};

/// The segments of a simulation by lane, ready to be drawn at any scale: what a stretch of time shows is
/// found by binary search and sums, so that it costs as much as is drawn, not as there are segments. A value
/// over segments that outlive it. Any thread.
class LaneBins {
public:
    LaneBins() = default;
    /// By lane, then start, not overlapping within a lane, as ServingResult::segments.
    LaneBins(std::span<const ServingSegment> segments, std::size_t lanes);

    std::span<const ServingSegment> segments() const { return m_segments; }
    std::size_t lanes() const { return m_begin.empty() ? 0 : m_begin.size() - 1; }
    /// Indices [first, last) of a lane's segments.
    std::pair<std::size_t, std::size_t> of(std::size_t lane) const {
        return {m_begin[lane], m_begin[lane + 1]};
    }
    /// The first segment of a lane that ends after a time, else the end of its indices.
    std::size_t firstEndingAfter(std::size_t lane, double seconds) const;
    /// Seconds of [from, to] that each phase fills on a lane.
    std::array<double, kServingPhaseCount> filled(std::size_t lane, double from, double to) const;

    /// What reaches into [from, to] and the cells at its ends, from left to right, not overlapping. A segment
    /// of at least `cell` seconds (what a pixel shows) stands for itself; the rest are merged by cells that
    /// start at multiples of `cell`, so that a picture that moves by whole pixels stays the same. At most two
    /// marks a cell, and one at each end.
    std::vector<LaneMark> marks(std::size_t lane, double from, double to, double cell) const;

private:
    using Phases = std::array<double, kServingPhaseCount>;
    std::size_t firstStartingAt(std::size_t from, std::size_t end, double seconds) const;
    Phases filledBy(std::size_t first, std::size_t last, double from, double to) const;

    std::span<const ServingSegment> m_segments;
    std::vector<std::size_t> m_begin; // of lanes, and the end
    std::vector<Phases> m_before;     // seconds of the lane before each segment
};

} // namespace heteroscape::engine
