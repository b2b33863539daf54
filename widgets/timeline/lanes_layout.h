// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"
#include "widgets/timeline/time_span.h"

#include <QRectF>

class QPainter;

namespace heteroscape::widgets {

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
};

/// The window of an overview over what was painted there.
void paintOverviewWindow(QPainter& painter, const ChartStyle& style, const QRectF& window);

} // namespace heteroscape::widgets
