// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/simulation.h"

#include <map>

namespace heteroscape::engine {

/// Keeps the segments of the first requests of a simulation.
class Recorder {
public:
    explicit Recorder(std::uint64_t requests) : m_requests(requests) {}

    bool keeps(std::uint32_t request) const { return request < m_requests; }
    void add(const ServingLane& lane, const ServingSegment& segment); ///< of no length: left out
    void add(const ServedRequest& request) { m_served.push_back(request); }

    /// Moves everything into the result, in its order.
    void moveInto(ServingResult& result);

private:
    std::uint64_t m_requests;
    std::map<ServingLane, std::uint32_t> m_lanes; // to the order in which they were met
    std::vector<ServingSegment> m_segments;
    std::vector<ServedRequest> m_served;
};

} // namespace heteroscape::engine
