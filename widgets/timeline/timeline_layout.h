// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_layout.h"
#include "widgets/timeline/timeline_track.h"

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// What a swatch of the legend stands for.
struct LegendKey {
    engine::Work work = engine::Work::Operator;
    Operands operands = Operands::None; ///< of an operator
    bool operator==(const LegendKey&) const = default;
};

inline constexpr double kLaneIndent = 10.0; ///< px, of lane labels below the name of their track
inline constexpr double kPlaceGap = 8.0;    ///< px, between a lane's name and its place

/// Where everything of a timeline stands, in logical px. A value; no colours, no painting.
struct TimelineLayout : LanesLayout {
    struct Row {
        std::size_t track = 0;
        std::optional<engine::Lane> lane; ///< none: the title of the track, with its layers
        QRectF plot;                      ///< the part along the time axis
    };
    struct LegendEntry {
        LegendKey key;
        QString label;
        QRectF rect;
    };

    std::vector<Row> rows;           ///< from top to bottom
    std::vector<LegendEntry> legend; ///< empty: not shown
    double height = 0.0;

    const Row* rowAt(double y) const; ///< null between rows
};

struct TimelineLayoutOptions {
    double width = 800.0;
    double height = 0.0; ///< what there is; the legend is left out when it does not fit. 0: as much as wanted
    bool overview = true; ///< false for pictures
    ChartStyle style{};
};

TimelineLayout layOut(const TimelineTracks& tracks, const TimelineLayoutOptions& options);

} // namespace heteroscape::widgets
