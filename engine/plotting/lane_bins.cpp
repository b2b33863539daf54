// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/lane_bins.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kSummed = 16; // segments up to which sums are exact rather than differences of sums

double length(const ServingSegment& segment) {
    return segment.end - segment.start;
}

} // namespace

double LaneMark::filled() const {
    double sum = 0.0;
    for (const double part : share)
        sum += part;
    return std::min(sum, 1.0);
}

LaneBins::LaneBins(std::span<const ServingSegment> segments, std::size_t lanes)
    : m_segments(segments), m_begin(lanes + 1, segments.size()), m_before(segments.size()) {
    std::size_t lane = 0;
    Phases sum{};
    for (std::size_t i = 0; i < segments.size(); ++i) {
        for (; lane <= segments[i].lane; ++lane) { // sums start anew, so that they stay exact in long runs
            m_begin[lane] = i;
            sum = {};
        }
        m_before[i] = sum;
        sum[static_cast<std::size_t>(segments[i].phase)] += length(segments[i]);
    }
}

std::size_t LaneBins::firstEndingAfter(std::size_t lane, double seconds) const {
    const auto [begin, end] = of(lane);
    const auto at = m_segments.begin();
    const auto found = std::upper_bound(
        at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(end), seconds,
        [](double time, const ServingSegment& segment) { return time < segment.end; });
    return static_cast<std::size_t>(found - at);
}

std::size_t LaneBins::firstStartingAt(std::size_t from, std::size_t end, double seconds) const {
    std::size_t step = 1, low = from; // doubling steps: it is mostly close by
    while (low + step < end && m_segments[low + step].start < seconds) {
        low += step;
        step *= 2;
    }
    const auto at = m_segments.begin();
    const auto found = std::lower_bound(
        at + static_cast<std::ptrdiff_t>(low), at + static_cast<std::ptrdiff_t>(std::min(low + step, end)),
        seconds, [](const ServingSegment& segment, double time) { return segment.start < time; });
    return static_cast<std::size_t>(found - at);
}

LaneBins::Phases LaneBins::filledBy(std::size_t first, std::size_t last, double from, double to) const {
    Phases sum{};
    if (first >= last)
        return sum;
    const auto add = [&](std::size_t i) {
        const auto& segment = m_segments[i];
        const double seconds = std::min(segment.end, to) - std::max(segment.start, from);
        sum[static_cast<std::size_t>(segment.phase)] += std::max(0.0, seconds);
    };
    if (last - first <= kSummed) {
        for (auto i = first; i < last; ++i)
            add(i);
        return sum;
    }
    // Only the first and the last can stick out.
    for (std::size_t phase = 0; phase < sum.size(); ++phase)
        sum[phase] = m_before[last - 1][phase] - m_before[first + 1][phase];
    add(first);
    add(last - 1);
    return sum;
}

LaneBins::Phases LaneBins::filled(std::size_t lane, double from, double to) const {
    const auto first = firstEndingAfter(lane, from);
    const auto end = of(lane).second;
    return filledBy(first, first < end ? firstStartingAt(first, end, to) : end, from, to);
}

std::vector<LaneMark> LaneBins::marks(std::size_t lane, double from, double to, double cell) const {
    std::vector<LaneMark> marks;
    const auto end = of(lane).second;
    const auto stands = [&](std::size_t i) { return length(m_segments[i]) >= cell; };
    double next = std::floor(from / cell); // number of the first cell that is free
    double done = next * cell;             // s, the end of the last mark: the first cell is filled as a whole
    for (auto i = firstEndingAfter(lane, done); i < end && m_segments[i].start < to;) {
        const auto& segment = m_segments[i];
        LaneMark mark;
        mark.first = i;
        if (stands(i)) {
            mark.start = segment.start;
            mark.end = done = segment.end;
            mark.last = ++i;
            mark.share[static_cast<std::size_t>(segment.phase)] = 1.0;
            next = std::floor(done / cell);
            marks.push_back(mark);
            continue;
        }
        const double number = std::max(std::floor(segment.start / cell), next);
        mark.merged = true;
        mark.start = std::max(number * cell, done);
        mark.end = (number + 1.0) * cell;
        mark.last = firstStartingAt(i, end, mark.end);
        const bool cut = mark.last - i > 1 && stands(mark.last - 1); // by one that begins within the cell
        if (cut)
            mark.end = m_segments[--mark.last].start;
        mark.last = std::max(mark.last, i + 1);
        if (mark.end > mark.start) {
            mark.share = filledBy(i, mark.last, mark.start, mark.end);
            for (double& part : mark.share)
                part /= mark.end - mark.start;
            marks.push_back(mark);
            done = mark.end;
        }
        next = number + 1.0;
        i = mark.last; // the last may reach into the next cell
        if (!cut && m_segments[i - 1].end > mark.end)
            --i;
    }
    return marks;
}

} // namespace heteroscape::engine
