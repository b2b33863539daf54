// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/time_span.h"
#include "widgets/plots/chart_style.h"

#include <QRectF>

class QFontMetricsF;

namespace heteroscape::widgets {

// px of lanes: their least height, margin of their labels, columns beside them, and the overview below.
inline constexpr double kLaneHeight = 18.0;
inline constexpr double kLabelMargin = 12.0;
inline constexpr double kLabelColumn = 126.0;
inline constexpr double kOverviewHeight = 22.0;
inline constexpr double kBetweenGroups = 3.0; ///< of lanes

/// Where everything stands of lanes over one axis of time, in logical px: labels at the left, how busy a lane
/// is at the right, and a strip below with the whole and a window in it. A value.
struct LanesLayout {
    QRectF axis;             ///< tick labels, along the time axis
    QRectF lanes;            ///< along the time axis: what is seen of the lanes
    QRectF overview;         ///< along the time axis; empty: not shown
    double labelWidth = 0.0; ///< of the column at the left
    double busyWidth = 0.0;  ///< of the column at the right

    double xOf(double seconds, TimeSpan view) const;
    double secondsAt(double x, TimeSpan view) const;
    double across(double width) const; ///< px that are left of so many for the axis of time
};

/// The width of the column at the right, px.
double busyColumn(const QFontMetricsF& metrics);

} // namespace heteroscape::widgets
