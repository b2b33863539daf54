// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_layout.h"

#include <QString>

class QPainter;

namespace heteroscape::widgets {

/// What is the same on all lanes over an axis of time: the axis with its ticks, labels at the left, how busy
/// a lane is at the right, the window of the overview. What is in the lanes is drawn by the classes made from
/// it: on the screen in the shown theme, in exports light.
class LanesPainter {
protected:
    LanesPainter(QPainter& painter, const LanesLayout& layout, TimeSpan view, ChartStyle style)
        : m_painter(painter), m_view(view), m_style(style), m_lanesLayout(layout) {}

    void axis(double bottom); ///< `bottom`: of the lines of its ticks
    /// Where a lane's label has room, from `indent` px on.
    QRectF labelBox(const QRectF& row, double indent = 0.0) const;
    void label(const QRectF& row, const QString& text, double indent = 0.0, bool bold = false);
    void ruleBelow(const QRectF& row, ColorRole role, double width = 1.0); ///< from label to busy
    void busy(const QRectF& row, double share);
    void window(TimeSpan whole); ///< of the overview, over what was painted there

    QPainter& m_painter;
    TimeSpan m_view;
    ChartStyle m_style;

private:
    QRectF busyBox(const QRectF& row) const;

    const LanesLayout& m_lanesLayout;
};

} // namespace heteroscape::widgets
