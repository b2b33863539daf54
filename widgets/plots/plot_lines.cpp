// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_lines.h"

#include "widgets/plots/chart_painter.h"
#include "widgets/plots/marker_path.h"
#include "widgets/plots/plot_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>
#include <utility>

// The part of the painter that puts curves into the plot.
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

namespace {

constexpr double kGrip = 5;      // px on either side of a line
constexpr double kLineMoves = 4; // px: a press that moves less is a click

double threeDigits(double value) {
    if (value == 0.0 || !std::isfinite(value))
        return value;
    const double digit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2.0);
    return digit >= 1.0 ? std::round(value / digit) * digit : std::round(value / digit) / (1.0 / digit);
}

} // namespace

PlotLines::PlotLines(PlotView& view, QCustomPlot& plot, ChartPainter& painter)
    : m_view(view), m_plot(plot), m_painter(painter) {
    m_view.installEventFilter(this);
    m_plot.installEventFilter(this);
}

const ChartReference& PlotLines::reference(int line) const {
    return m_painter.chart().references.at(static_cast<std::size_t>(line));
}

std::optional<int> PlotLines::lineAt(QPointF at) const {
    if (!m_painter.plotArea().contains(at))
        return std::nullopt;
    const auto& references = m_painter.chart().references;
    for (std::size_t i = 0; i < references.size(); ++i) {
        const auto& line = references[i];
        const auto on = m_painter.pixel(line.at, line.at, line.onRight);
        if (line.movable && std::fabs(line.vertical ? on.x() - at.x() : on.y() - at.y()) <= kGrip)
            return static_cast<int>(i);
    }
    return std::nullopt;
}

void PlotLines::moveTo(double pixel) {
    const auto& line = reference(m_hold->line);
    const auto area = m_painter.plotArea();
    const double at = line.vertical ? m_painter.xAt(std::clamp(pixel, area.left(), area.right()))
                                    : m_painter.yAt(std::clamp(pixel, area.top(), area.bottom()));
    m_hold->at = threeDigits(at);
    emit moving(m_hold->line, m_hold->at);
    if (m_hold && m_hold->line < static_cast<int>(m_painter.chart().references.size()))
        m_view.setAccessibleDescription(reference(m_hold->line).label);
}

void PlotLines::letGo(bool back) {
    const auto hold = *std::exchange(m_hold, std::nullopt);
    emit moved(hold.line, back ? hold.begun : hold.at);
}

bool PlotLines::mouse(const QMouseEvent& event) {
    const auto at = event.position();
    switch (event.type()) {
    case QEvent::MouseButtonPress:
        if (const auto line = event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier
                                  ? lineAt(at)
                                  : std::nullopt) {
            m_view.setFocus(Qt::MouseFocusReason);
            m_view.pointer().dismiss();
            m_hold = Hold{*line, reference(*line).at, reference(*line).at, false, at};
            return true;
        }
        return false;
    case QEvent::MouseMove:
        if (m_hold && !m_hold->byKeys) {
            m_hold->isDrag |= (at - m_hold->pressed).manhattanLength() >= kLineMoves;
            if (m_hold->isDrag)
                moveTo(reference(m_hold->line).vertical ? at.x() : at.y());
            return true;
        }
        if (const auto line = event.buttons() == Qt::NoButton ? lineAt(at) : std::nullopt) {
            m_plot.setCursor(reference(*line).vertical ? Qt::SplitHCursor : Qt::SplitVCursor);
            m_cursor = true;
        } else if (std::exchange(m_cursor, false)) {
            m_plot.unsetCursor();
        }
        return false;
    case QEvent::MouseButtonRelease:
        if (!m_hold || m_hold->byKeys)
            return false;
        if (m_hold->isDrag) {
            letGo(false);
        } else {
            m_hold.reset();
            if (const auto point = m_view.pointer().near(at + QPointF(m_plot.pos())))
                emit m_view.pointClicked(*point); // of a design that lies on the line
        }
        return true;
    default:
        return false;
    }
}

bool PlotLines::takeNext() {
    const auto count = static_cast<int>(m_painter.chart().references.size());
    const int from = m_hold ? m_hold->line + 1 : 0;
    if (m_hold)
        letGo(false);
    for (int k = 0; k < count; ++k)
        if (const int i = (from + k) % count; reference(i).movable) {
            m_hold = Hold{i, reference(i).at, reference(i).at, true};
            m_view.setAccessibleDescription(
                tr("%1: arrows move it, Enter sets it there").arg(reference(i).label));
            return true;
        }
    return false;
}

bool PlotLines::key(int key, bool fine) {
    if (key == Qt::Key_L)
        return takeNext();
    if (!m_hold)
        return false;
    const auto& line = reference(m_hold->line);
    const auto area = m_painter.plotArea();
    const double share = fine ? 0.001 : 0.01;
    const auto on = m_painter.pixel(m_hold->at, m_hold->at, line.onRight);
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (line.vertical)
            moveTo(on.x() + (key == Qt::Key_Right ? share : -share) * area.width());
        return line.vertical;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!line.vertical)
            moveTo(on.y() + (key == Qt::Key_Down ? share : -share) * area.height());
        return !line.vertical;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
        letGo(key == Qt::Key_Escape);
        return true;
    default:
        return false;
    }
}

bool PlotLines::eventFilter(QObject* watched, QEvent* event) {
    if (m_hold && m_hold->line >= static_cast<int>(m_painter.chart().references.size()))
        m_hold.reset(); // the chart is another one now
    if (watched == &m_plot && event->type() >= QEvent::MouseButtonPress && event->type() <= QEvent::MouseMove)
        return mouse(*static_cast<QMouseEvent*>(event));
    if (watched == &m_view && event->type() == QEvent::KeyPress) {
        const auto& press = *static_cast<QKeyEvent*>(event);
        const bool fine = press.modifiers() == Qt::ShiftModifier;
        return (fine || press.modifiers() == Qt::NoModifier) && key(press.key(), fine);
    }
    if (watched == &m_view && event->type() == QEvent::FocusOut && m_hold && m_hold->byKeys)
        letGo(false);
    return QObject::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_plot_lines.cpp"
