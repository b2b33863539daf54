// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lanes_layout.h"

#include <QPainter>

namespace heteroscape::widgets {

double LanesLayout::xOf(double seconds, TimeSpan view) const {
    return lanes.left() + (seconds - view.from) / view.length() * lanes.width();
}

double LanesLayout::secondsAt(double x, TimeSpan view) const {
    return view.from + (x - lanes.left()) / lanes.width() * view.length();
}

void paintOverviewWindow(QPainter& painter, const ChartStyle& style, const QRectF& window) {
    auto soft = style.role(ColorRole::Accent);
    soft.setAlphaF(0.16f);
    painter.fillRect(window, soft);
    painter.setPen(QPen(style.role(ColorRole::Accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(window.adjusted(0.75, 0.75, -0.75, -0.75));
}

} // namespace heteroscape::widgets
