// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_style.h"

#include <QMargins>
#include <QPointF>
#include <QRectF>

#include <optional>

class QCPAxis;
class QCPRange;
class QCustomPlot;

namespace heteroscape::widgets {

class ChartGround;
class ChartOverlay;
class CloudLayer;

/// What the user chose. Point: point `index` of line `line`, or mark `index` when line is -1. Bar: bar series
/// `line` at category `index`. Cell: row `line`, column `index` of the heat map. Cloud: point `index` of it.
struct ChartPoint {
    enum class Kind { Point, Bar, Cell, Cloud };
    int line = -1;
    int index = -1;
    Kind kind = Kind::Point;
    bool isArea() const { return kind == Kind::Bar || kind == Kind::Cell; }
    bool operator==(const ChartPoint&) const = default;
};

/// Where one is among what a chart shows, drawn over it; what is not set is not drawn.
struct ChartPosition {
    std::optional<double> x = {};
    std::optional<double> y = {};
    QString curve = {}; ///< its words in the legend, of several quantities the last part of them
    std::vector<std::size_t> points = {}; ///< of a cloud, ringed; each is drawn one by one
    bool isOn(const ChartLine& line) const;
    bool operator==(const ChartPosition&) const = default;
};

/// An entry of the legend, or the name beside a curve.
struct LegendBox {
    QString name; ///< as in Chart::hidden
    QRectF box;   ///< within the plot widget
};

/// Puts a chart into a QCustomPlot: axes, curves and everything written on them. The plot may be shown or be
/// made only to be painted into a file. UI thread. Keep it as long as the plot.
class ChartPainter {
public:
    explicit ChartPainter(QCustomPlot& plot);

    /// Keeps what is panned and zoomed to; queues a repaint. Returns the chart before.
    Chart draw(Chart chart, ChartStyle style);
    void fit();                        ///< shows all data again
    void zoomTo(const QRectF& pixels); ///< this part of the plot fills it; a heat map stays whole
    void select(std::optional<ChartPoint> point);
    void setPosition(const ChartPosition& position);
    void setNotes(std::vector<ChartNote> notes);
    void focusLegend(const QString& name); ///< rings an entry of the legend; empty: none

    const Chart& chart() const { return m_chart; }
    /// Where data coordinates lie in the plot widget.
    QPointF pixel(double x, double y, bool onRight = false) const;
    QPointF pixelOf(ChartPoint point) const;   ///< its middle
    double diameterOf(ChartPoint point) const; ///< of what is drawn there; 0 for areas
    double xAt(double pixelX) const;
    double yAt(double pixelY) const;
    std::vector<LegendBox> legendBoxes() const; ///< empty for a chart without a legend
    const ChartOverlay& overlay() const { return *m_overlay; }
    /// The point of the cloud near a pixel.
    std::optional<ChartPoint> cloudPointAt(QPointF at, double within) const;
    QRectF plotArea() const; ///< within the axes, in pixels

    /// The bar (all its pieces, or its foot) or cell of a point; empty for other points.
    QRectF frameOf(ChartPoint point) const;
    static QRectF frameOf(const Chart& chart, const ChartGround& ground, ChartPoint point);
    /// The bar piece or cell under a pixel: the only bar, or the piece of it that is under or next to `at`.
    std::optional<ChartPoint> areaAt(QPointF at) const;

private:
    void setUpAxes();
    void addLines();
    void addBand(const ChartLine& line, QCPAxis& upwards);
    void reserveMargins();
    void settleLayout();
    void fitNames();
    void stayAboveZero(QCPAxis& axis, const QCPRange& to, const QCPRange& from);

    QCustomPlot& m_plot;
    ChartGround* m_ground;   ///< owned by the plot
    CloudLayer* m_cloud;     ///< likewise
    ChartOverlay* m_overlay; ///< likewise
    Chart m_chart;
    ChartStyle m_style;
    struct Room {
        std::optional<double> x = 0, y = 0, right = 0;
    };
    Room m_below;       ///< which share of each axis may lie below zero; not set: there are values, or names
    QMargins m_laidOut; ///< the margins that names and labels were fitted to
};

} // namespace heteroscape::widgets
