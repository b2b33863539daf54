// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_painter.h"

#include "widgets/plots/chart_overlay.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// Ticks from engine/plotting, as many as the axis has room for.
class Ticker : public QCPAxisTicker {
public:
    Ticker(const QCPAxis* axis, ChartAxis kind) : m_axis(axis), m_kind(std::move(kind)) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override {
        const bool across = m_axis->orientation() == Qt::Horizontal;
        const auto* rect = m_axis->axisRect();
        // Room for the longest number to come: whole numbers are as long as the last one, others get five
        // digits.
        const auto digits =
            m_kind.integer ? engine::tickText(std::floor(range.upper)).size() : std::size_t{5};
        const int each = across ? 20 + 7 * static_cast<int>(std::min(digits, std::size_t{12})) : 40;
        const int wanted = std::clamp((across ? rect->width() : rect->height()) / each, 3, 12);
        auto values = m_kind.log ? engine::logTicks({range.lower, range.upper}, m_kind.base, wanted)
                                 : engine::linearTicks({range.lower, range.upper}, wanted);
        if (m_kind.integer)
            std::erase_if(values, [](double v) { return v != std::floor(v); });
        ticks = QVector<double>(values.begin(), values.end());
        if (labels) {
            labels->clear();
            for (const double value : values)
                labels->append(QString::fromStdString(engine::tickText(value)));
        }
        if (subTicks)
            subTicks->clear();
        if (subTicks && m_kind.log && m_kind.base == 10 && range.lower > 0 && range.upper / range.lower < 1e9)
            for (double decade = std::pow(10.0, std::floor(std::log10(range.lower))); decade < range.upper;
                 decade *= 10)
                for (int k = 2; k < 10; ++k)
                    if (k * decade > range.lower && k * decade < range.upper)
                        subTicks->append(k * decade);
    }

private:
    const QCPAxis* m_axis;
    ChartAxis m_kind;
};

Qt::PenStyle penStyle(ChartDash dash) {
    switch (dash) {
    case ChartDash::Solid:
        return Qt::SolidLine;
    case ChartDash::Dashed:
        return Qt::DashLine;
    case ChartDash::Dotted:
        return Qt::DotLine;
    case ChartDash::DashDotted:
        return Qt::DashDotLine;
    }
    return Qt::SolidLine;
}

void setUpAxis(QCPAxis& axis, const ChartAxis& kind, const ChartStyle& style, bool baseline) {
    axis.setScaleType(kind.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(QSharedPointer<Ticker>::create(&axis, kind));
    axis.setLabel(kind.label);
    axis.setLabelFont(style.font());
    axis.setLabelColor(style.role(ColorRole::Text2));
    axis.setLabelPadding(6);
    axis.setTickLabelFont(style.font());
    axis.setTickLabelColor(style.role(ColorRole::Muted));
    axis.setTickLabelPadding(5);
    axis.setPadding(4);
    const QPen pen(style.role(ColorRole::BorderControl), style.lineWidth(1));
    axis.setBasePen(baseline ? pen : QPen(Qt::NoPen));
    axis.setTickPen(baseline ? pen : QPen(Qt::NoPen));
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLength(0, baseline ? 4 : 0);
    axis.setSubTickLength(0, 0);
    axis.setSelectableParts(QCPAxis::spNone);
    auto* grid = axis.grid();
    grid->setPen(QPen(style.role(ColorRole::Grid), 1));
    grid->setZeroLinePen(QPen(style.role(ColorRole::Grid), 1));
    grid->setSubGridVisible(kind.log);
    grid->setSubGridPen(QPen(style.role(ColorRole::Grid), 0.6));
}

} // namespace

ChartPainter::ChartPainter(QCustomPlot& plot) : m_plot(plot), m_overlay(new ChartOverlay(&plot)) {
    m_plot.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot.setNotAntialiasedElement(QCP::aeAxes, false);
    m_plot.plotLayout()->setMargins(QMargins());
    QObject::connect(&m_plot, &QCustomPlot::beforeReplot, m_overlay, [this] { reserveMargins(); });
}

void ChartPainter::draw(const Chart& chart, ChartStyle style) {
    m_chart = chart;
    m_style = style;
    m_overlay->set(&m_chart, style);
    m_plot.setBackground(QBrush(style.role(ColorRole::Surface)));
    setUpAxes();
    addLines();
    reserveMargins();
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void ChartPainter::setUpAxes() {
    setUpAxis(*m_plot.xAxis, m_chart.x, m_style, true);
    setUpAxis(*m_plot.yAxis, m_chart.y, m_style, false);
}

void ChartPainter::addLines() {
    m_plot.clearPlottables();
    for (const auto& line : m_chart.lines) {
        auto* graph = m_plot.addGraph();
        const auto color = m_style.color(line.color);
        QPen pen(color, m_style.lineWidth(line.width), penStyle(line.dash), Qt::FlatCap, Qt::RoundJoin);
        graph->setPen(pen);
        graph->setData(QVector<double>(line.x.begin(), line.x.end()),
                       QVector<double>(line.y.begin(), line.y.end()), false);
        graph->setSelectable(QCP::stNone);
        if (line.marker != ChartMarker::None) {
            QPen outline(m_style.role(ColorRole::Surface), 0.8);
            QCPScatterStyle scatter(markerPath(line.marker, {}, 7), outline, color, 6);
            graph->setScatterStyle(scatter);
        }
    }
}

void ChartPainter::reserveMargins() {
    auto* rect = m_plot.axisRect();
    auto needed = m_overlay->margins(m_plot.viewport().width());
    // Left and bottom follow the tick labels at each layout; zero until then would shift everything.
    needed.setLeft(rect->margins().left());
    needed.setBottom(rect->margins().bottom());
    rect->setAutoMargins(QCP::msLeft | QCP::msBottom);
    rect->setMargins(needed);
    rect->setMinimumMargins(QMargins(30, 0, 0, 30));
}

void ChartPainter::fit() {
    const auto x = m_chart.xRange();
    const auto y = m_chart.yRange();
    m_plot.xAxis->setRange(x.lower, x.upper);
    m_plot.yAxis->setRange(y.lower, y.upper);
    reserveMargins();
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void ChartPainter::select(std::optional<ChartPoint> point) {
    m_overlay->select(point);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

QPointF ChartPainter::pixel(double x, double y) const {
    return {m_plot.xAxis->coordToPixel(x), m_plot.yAxis->coordToPixel(y)};
}

double ChartPainter::xAt(double pixelX) const {
    return m_plot.xAxis->pixelToCoord(pixelX);
}

QRectF ChartPainter::plotArea() const {
    return m_plot.axisRect()->rect();
}

} // namespace heteroscape::widgets
