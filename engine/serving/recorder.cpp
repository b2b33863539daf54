// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/recorder.h"

#include <algorithm>
#include <tuple>

namespace heteroscape::engine {

void Recorder::add(const ServingLane& lane, const ServingSegment& segment) {
    if (!(segment.end > segment.start))
        return;
    const auto met = m_lanes.emplace(lane, static_cast<std::uint32_t>(m_lanes.size())).first->second;
    m_segments.push_back(segment);
    m_segments.back().lane = met;
}

void Recorder::moveInto(ServingResult& result) {
    std::vector<std::uint32_t> place(m_lanes.size()); // of lanes in the order met
    for (const auto& [lane, met] : m_lanes) {
        place[met] = static_cast<std::uint32_t>(result.lanes.size());
        result.lanes.push_back(lane);
    }
    for (auto& segment : m_segments)
        segment.lane = place[segment.lane];
    std::sort(m_segments.begin(), m_segments.end(), [](const ServingSegment& a, const ServingSegment& b) {
        return std::tuple(a.lane, a.start, a.end, a.request) < std::tuple(b.lane, b.start, b.end, b.request);
    });
    std::sort(m_served.begin(), m_served.end(),
              [](const ServedRequest& a, const ServedRequest& b) { return a.request.id < b.request.id; });
    result.segments = std::move(m_segments);
    result.requests = std::move(m_served);
}

} // namespace heteroscape::engine
