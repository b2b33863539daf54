// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"
#include "widgets/plots/chart_painter.h"
#include "widgets/plots/marker_path.h"

#include <qcustomplot.h>

namespace heteroscape::widgets {

/// Everything written on a chart: legend or line names, captions, marks and their labels, stars, drops, the
/// selected point. Laid out in pixels at each paint, so it holds at any size and zoom.
class ChartOverlay : public QCPAbstractItem {
    Q_OBJECT
public:
    explicit ChartOverlay(QCustomPlot* plot);

    void set(const Chart* chart, ChartStyle style);
    void select(std::optional<ChartPoint> point) { m_selected = point; }

    /// The room that names need beside or above the axes of a plot this wide.
    QMargins margins(int plotWidth) const;

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    QPointF pixel(double x, double y) const;
    QRectF area() const;
    bool besideAxes(int plotWidth) const;
    double nameWidth() const;   ///< of the longest name
    double columnWidth() const; ///< of a legend beside the axes
    void drawSample(QCPPainter& painter, const ChartLine& line, QPointF left) const;
    void drawLegend(QCPPainter& painter) const;
    void drawLineNames(QCPPainter& painter) const;
    void drawDrops(QCPPainter& painter) const;
    void drawMarks(QCPPainter& painter);
    void drawCaptions(QCPPainter& painter);
    void drawMarkLabels(QCPPainter& painter);
    void drawStars(QCPPainter& painter);
    void drawSelected(QCPPainter& painter) const;
    void drawHaloed(QCPPainter& painter, const QRectF& box, int flags, const QString& text, const QFont& font,
                    const QColor& color) const;
    std::vector<engine::PlotSegment> lineSegments() const;

    const Chart* m_chart = nullptr;
    ChartStyle m_style;
    std::optional<ChartPoint> m_selected;
    std::vector<engine::PlotBox> m_taken; ///< rectangles with words in them, of this paint
};

} // namespace heteroscape::widgets
