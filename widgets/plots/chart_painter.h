// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_style.h"

#include <QMargins>
#include <QPointF>
#include <QRectF>

#include <optional>

class QCustomPlot;

namespace heteroscape::widgets {

class ChartGround;
class ChartOverlay;

/// What the user chose. Point: point `index` of line `line`, or mark `index` when line is -1. Bar: bar series
/// `line` at category `index`. Cell: row `line`, column `index` of the heat map.
struct ChartPoint {
    enum class Kind { Point, Bar, Cell };
    int line = -1;
    int index = -1;
    Kind kind = Kind::Point;
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
    /// Where data coordinates lie in the plot widget.
    QPointF pixel(double x, double y, bool onRight = false) const;
    double xAt(double pixelX) const;
    QRectF plotArea() const; ///< within the axes, in pixels

    /// The bar (all its pieces, or its foot) or cell of a point; empty for other points.
    QRectF frameOf(ChartPoint point) const;
    static QRectF frameOf(const Chart& chart, const ChartGround& ground, ChartPoint point);
    /// The bar piece or cell under a pixel: the only bar, or the piece of it that is under or next to `at`.
    std::optional<ChartPoint> areaAt(QPointF at) const;

private:
    void setUpAxes();
    void addLines();
    void reserveMargins();
    void settleLayout();
    void fitNames();

    QCustomPlot& m_plot;
    ChartGround* m_ground;   ///< owned by the plot
    ChartOverlay* m_overlay; ///< likewise
    Chart m_chart;
    ChartStyle m_style;
    QMargins m_laidOut; ///< the margins that names and labels were fitted to
};

} // namespace heteroscape::widgets
