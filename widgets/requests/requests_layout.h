// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_layout.h"
#include "widgets/requests/request_lanes.h"

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// Where everything of a timeline of requests stands, in logical px. A value; no colours, no painting.
struct RequestsLayout : LanesLayout {
    QRectF legend; ///< empty: not shown
    double rowHeight = 0.0;
    double scroll = 0.0;      ///< px of the lanes above what is seen
    std::vector<double> tops; ///< of every lane, from the first; at last the end

    double contentHeight() const { return tops.empty() ? 0.0 : tops.back(); }
    double scrollMost() const;                        ///< so that the last lane is seen whole
    QRectF rowOf(std::size_t lane) const;             ///< along the time axis; may lie outside what is seen
    std::pair<std::size_t, std::size_t> seen() const; ///< lanes [first, last) that are seen, in part at least
    std::optional<std::size_t> laneAt(double y) const;
};

struct RequestsLayoutOptions {
    double width = 800.0;
    double height = 0.0; ///< 0: as high as all lanes, with a legend: a picture
    double scroll = 0.0;
    std::pair<std::size_t, std::size_t> only{0, static_cast<std::size_t>(-1)}; ///< lanes [first, last)
    ChartStyle style{};
};

RequestsLayout layOut(const RequestLanes& lanes, const RequestsLayoutOptions& options);

} // namespace heteroscape::widgets
