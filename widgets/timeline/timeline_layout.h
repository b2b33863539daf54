// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"
#include "widgets/timeline/timeline_track.h"

#include <QRectF>

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
struct TimelineLayout {
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

    QRectF axis;                     ///< tick labels, along the time axis
    QRectF lanes;                    ///< along the time axis, from the first row to the last
    std::vector<Row> rows;           ///< from top to bottom
    QRectF overview;                 ///< along the time axis; empty: not shown
    std::vector<LegendEntry> legend; ///< empty: not shown
    double labelWidth = 0.0;         ///< of the column at the left
    double busyWidth = 0.0;          ///< of the column at the right
    double height = 0.0;

    double xOf(double seconds, TimeSpan view) const;
    double secondsAt(double x, TimeSpan view) const;
    const Row* rowAt(double y) const; ///< null between rows
};

struct TimelineLayoutOptions {
    double width = 800.0;
    double height = 0.0; ///< what there is; the legend is left out when it does not fit. 0: as much as wanted
    bool overview = true; ///< false for pictures
    ChartStyle style{};
};

/// Where the overview's window stands: never so narrow that it cannot be seen or caught.
QRectF overviewWindow(const TimelineLayout& layout, TimeSpan view, double end);

TimelineLayout layOut(const TimelineTracks& tracks, const TimelineLayoutOptions& options);

} // namespace heteroscape::widgets
