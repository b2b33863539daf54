// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

namespace heteroscape::widgets {

/// What of a plot is written into a file.
enum class Extent {
    Shown, ///< the view on the screen: what is zoomed and panned to, without the curves that are hidden
    Whole, ///< all of it
};

/// The part of the axes that is shown.
struct ChartView {
    engine::AxisRange x, y, right;
    bool whole = false; ///< nothing is panned or zoomed to
    bool operator==(const ChartView&) const = default;
};

/// The chart as a picture of this view: its axes start and end there. A heat map is always shown whole.
Chart zoomedTo(Chart chart, const ChartView& view);

/// The chart as the data of this view: of curves and bars what lies within it along the x axis, of marks and
/// points of a cloud what lies within it both ways, and nothing that is hidden. A heat map stays whole.
Chart cutTo(Chart chart, const ChartView& view);

} // namespace heteroscape::widgets
