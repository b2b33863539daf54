// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the painter that puts curves into the plot.
#include "widgets/plots/chart_painter.h"
#include "widgets/plots/cut_line.h"
#include "widgets/plots/marker_path.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// A curve that stays within its axes in vector files too, which know of no clipping.
class CutGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override {
        if (!isVector(*painter))
            return QCPGraph::drawLinePlot(painter, lines);
        for (const auto& part : cutLine(lines, clipRect()))
            QCPGraph::drawLinePlot(painter, part);
    }
    void drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& scatters,
                         const QCPScatterStyle& style) const override {
        auto inside = scatters;
        const auto area = QRectF(clipRect()).adjusted(-1, -1, 1, 1);
        if (isVector(*painter))
            inside.removeIf([&area](const QPointF& at) { return !area.contains(at); });
        QCPGraph::drawScatterPlot(painter, inside, style);
    }
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override {
        const auto* other = static_cast<const CutGraph*>(mChannelFillGraph.data());
        if (!isVector(*painter) || !other)
            return QCPGraph::drawFill(painter, lines);
        QVector<QPointF> edge;
        other->getLines(&edge, QCPDataRange(0, other->dataCount()));
        const auto across = keyAxis()->orientation();
        const QPolygonF area{QRectF(clipRect())};
        for (const auto& [own, others] : getOverlappingSegments(getNonNanSegments(lines, across), lines,
                                                                getNonNanSegments(&edge, across), &edge))
            painter->drawPolygon(getChannelFillPolygon(lines, own, &edge, others).intersected(area));
    }

private:
    static bool isVector(const QCPPainter& painter) {
        return painter.modes().testFlag(QCPPainter::pmVectorized);
    }
};

} // namespace

void ChartPainter::addLines() {
    m_plot.clearPlottables();
    for (const auto& line : m_chart.lines) {
        if (m_chart.isHidden(line.name))
            continue;
        auto& upwards = line.onRight && m_chart.right ? *m_plot.yAxis2 : *m_plot.yAxis;
        if (line.low.size() == line.x.size() && !line.low.empty())
            addBand(line, upwards);
        const auto color = m_style.color(line.color);
        const bool partly = std::any_of(line.muted.begin(), line.muted.end(), [](auto one) { return one; });
        const QPen pen(color, m_style.lineWidth(line.width), penStyle(line.dash), Qt::FlatCap, Qt::RoundJoin);
        const QVector<double> x(line.x.begin(), line.x.end());
        QVector<double> y(line.y.begin(), line.y.end());
        const auto addGraph = [&](const QPen& stroke, const QPen& outline, const QColor& fill) {
            auto* graph = new CutGraph(m_plot.xAxis, &upwards); // the plot's
            graph->setPen(stroke);
            graph->setData(x, y, false);
            graph->setSelectable(QCP::stNone);
            graph->setLineStyle(line.stepped ? QCPGraph::lsStepCenter : QCPGraph::lsLine);
            if (line.marker != ChartMarker::None)
                graph->setScatterStyle(QCPScatterStyle(markerPath(line.marker, {}, 7), outline, fill, 6));
        };
        if (partly) { // the whole curve pale, then what is kept over it
            auto pale = pen;
            pale.setColor(m_style.role(ColorRole::Grid));
            addGraph(pale, QPen(pale.color(), 1.2), m_style.role(ColorRole::Surface));
            for (qsizetype i = 0; i < y.size(); ++i)
                if (line.isMuted(static_cast<std::size_t>(i)))
                    y[i] = std::nan("");
        }
        addGraph(pen, QPen(m_style.role(ColorRole::Surface), 0.8), color);
    }
}

/// Under the curve, as pale as two of them can lie on each other.
void ChartPainter::addBand(const ChartLine& line, QCPAxis& upwards) {
    const QVector<double> x(line.x.begin(), line.x.end());
    QCPGraph* before = nullptr;
    for (const auto* edge : {&line.low, &line.high}) {
        auto* graph = new CutGraph(m_plot.xAxis, &upwards); // the plot's
        graph->setData(x, QVector<double>(edge->begin(), edge->end()), false);
        graph->setSelectable(QCP::stNone);
        graph->setPen(Qt::NoPen);
        if (before) {
            auto fill = m_style.color(line.color);
            fill.setAlphaF(0.16F);
            graph->setBrush(fill);
            graph->setChannelFillGraph(before);
        }
        before = graph;
    }
}

} // namespace heteroscape::widgets
