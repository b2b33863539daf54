// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"
#include "widgets/plots/chart_ground.h"
#include "widgets/plots/chart_legend.h"
#include "widgets/plots/chart_painter.h"
#include "widgets/plots/cloud_layer.h"
#include "widgets/plots/marker_path.h"

#include <qcustomplot.h>

namespace heteroscape::widgets {

/// Everything written on a chart: legend or line names, colour scale, captions, marks and their labels,
/// stars, drops, names of reference lines, the selected point. Laid out in pixels at each paint, so it holds
/// at any size and zoom.
class ChartOverlay : public QCPAbstractItem {
public:
    ChartOverlay(QCustomPlot* plot, const ChartGround* ground, const CloudLayer* cloud);

    void set(const Chart* chart, ChartStyle style);
    void select(std::optional<ChartPoint> point) { m_selected = point; }
    void setPosition(const ChartPosition& position) { m_position = position; }
    void focusLegend(const QString& name) { m_focusedName = name; }
    std::vector<LegendBox> legendBoxes() const;
    std::vector<LegendBox> legendCut() const; ///< what of it is not whole, with all that it would say
    void setBarNamesShown(bool shown) { m_barNamesShown = shown; } ///< at the axis, by this overlay
    void setBelow(int below) { m_below = below; } ///< px under the axes, by which the legend goes

    /// What stood within the axes at the last paint, and the lines there: no text lies on a line.
    struct PlacedText {
        QString text;
        engine::TurnedBox box; ///< px
    };
    const std::vector<PlacedText>& texts() const { return m_texts; }
    std::vector<engine::PlotSegment> lines() const;

    QRectF noteBox(const ChartNote& note) const; ///< px, within the axes where there is room

    /// The room that names need beside or above the axes of a plot this wide.
    QMargins margins(int plotWidth) const;

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    QPointF pixel(double x, double y, bool onRight = false) const;
    QRectF area() const;
    QRectF labelArea() const; ///< with the room above the axes
    ChartLegend legend(int plotWidth) const;
    struct LineName {
        const ChartLine* line = nullptr;
        QRectF box;
    };
    std::vector<LineName> lineNames(const ChartLegend& legend) const;
    void drawLineNames(QCPPainter& painter, const ChartLegend& legend) const;
    void drawBarNames(QCPPainter& painter) const;
    void drawDrops(QCPPainter& painter);
    void drawDrops(QCPPainter& painter, std::vector<ChartDrop> drops, bool upwards);
    void drawMarks(QCPPainter& painter);
    void drawCaptions(QCPPainter& painter);
    void drawMarkLabels(QCPPainter& painter);
    void drawStars(QCPPainter& painter);
    void drawPointLabel(QCPPainter& painter, const QString& label, QPointF point, double radius,
                        const engine::LabelGround& ground);
    void drawReferenceNames(QCPPainter& painter);
    void drawPill(QCPPainter& painter, const ChartReference& reference, QPointF at);
    void drawNotes(QCPPainter& painter) const;
    void drawLeader(QCPPainter& painter, QPointF from, const QRectF& box);
    void drawSelected(QCPPainter& painter) const;
    void drawPosition(QCPPainter& painter) const;
    void drawHaloed(QCPPainter& painter, const QRectF& box, int flags, const QString& text, const QFont& font,
                    const QColor& color) const;
    std::vector<engine::PlotSegment> curveSegments() const;
    engine::LabelGround labelGround() const;
    void take(const QString& text, const engine::PlotBox& box);

    const ChartGround* m_ground;
    const CloudLayer* m_cloud;
    const Chart* m_chart = nullptr;
    ChartStyle m_style;
    std::optional<ChartPoint> m_selected;
    ChartPosition m_position;
    QString m_focusedName; ///< of the legend, by the keyboard
    bool m_barNamesShown = false;
    int m_below = 0;
    std::vector<engine::PlotBox> m_taken;      ///< rectangles with words in them, of this paint
    std::vector<engine::PlotSegment> m_curves; ///< of this paint, as everything below
    std::vector<engine::PlotSegment> m_ways;   ///< drops, ways from baselines to stars, leaders
    std::vector<PlacedText> m_texts;
};

} // namespace heteroscape::widgets
