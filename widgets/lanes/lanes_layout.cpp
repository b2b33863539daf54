// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lanes/lanes_layout.h"

#include <QFontMetricsF>

#include <algorithm>

namespace heteroscape::widgets {

double LanesLayout::xOf(double seconds, TimeSpan view) const {
    return lanes.left() + (seconds - view.from) / view.length() * lanes.width();
}

double LanesLayout::secondsAt(double x, TimeSpan view) const {
    return view.from + (x - lanes.left()) / lanes.width() * view.length();
}

double LanesLayout::across(double width) const {
    return std::max(20.0, width - labelWidth - busyWidth);
}

double busyColumn(const QFontMetricsF& metrics) {
    return std::max(48.0, metrics.horizontalAdvance(QStringLiteral("100 %")) + 14.0);
}

} // namespace heteroscape::widgets
