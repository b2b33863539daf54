// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"

#include <QRectF>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace heteroscape::widgets {

/// The scale of a heat map's colours, right of the axes. Made anew at each layout and paint.
class ChartColorBar {
public:
    ChartColorBar(const ChartHeatMap& map, ChartStyle style, double height);

    int width() const; ///< all it needs right of the axes
    void draw(QPainter& painter, const QRectF& axes) const;

private:
    const ChartHeatMap& m_map;
    ChartStyle m_style;
    std::vector<std::pair<double, QString>> m_ticks; ///< share of the height, number
    double m_numberWidth = 0;
};

} // namespace heteroscape::widgets
