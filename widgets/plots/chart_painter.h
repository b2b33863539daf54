// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_style.h"

#include <QPointF>
#include <QRectF>

#include <optional>

class QCustomPlot;

namespace heteroscape::widgets {

class ChartOverlay;

/// A point chosen by the user: point `index` of line `line`, or mark `index` when line is -1.
struct ChartPoint {
    int line = -1;
    int index = -1;
    bool operator==(const ChartPoint&) const = default;
};

/// Puts a chart into a QCustomPlot: axes, curves and everything written on them. The plot may be shown or be
/// made only to be painted into a file. UI thread. Keep it as long as the plot.
class ChartPainter {
public:
    explicit ChartPainter(QCustomPlot& plot);

    void draw(const Chart& chart, ChartStyle style); ///< keeps what is panned and zoomed to; queues a repaint
    void fit();                                      ///< shows all data again
    void select(std::optional<ChartPoint> point);

    const Chart& chart() const { return m_chart; }
    QPointF pixel(double x, double y) const; ///< where data coordinates lie in the plot widget
    double xAt(double pixelX) const;
    QRectF plotArea() const; ///< within the axes, in pixels

private:
    void setUpAxes();
    void addLines();
    void reserveMargins();

    QCustomPlot& m_plot;
    ChartOverlay* m_overlay; ///< owned by the plot
    Chart m_chart;
    ChartStyle m_style;
};

} // namespace heteroscape::widgets
