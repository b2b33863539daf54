// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_painter.h"

#include "widgets/plots/chart_overlay.h"
#include "widgets/plots/chart_ticker.h"
#include "widgets/plots/cloud_layer.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr double kBarNames = 15; // px under the axis for the names of the bars of a group

/// A label broken into two lines where that makes it fit beside an axis of this length.
QString broken(const QString& label, const QFontMetricsF& metrics, double length) {
    double least = metrics.horizontalAdvance(label);
    if (least <= length)
        return label;
    qsizetype best = -1;
    for (auto at = label.indexOf(u' '); at >= 0; at = label.indexOf(u' ', at + 1)) {
        const double longer =
            std::max(metrics.horizontalAdvance(label.left(at)), metrics.horizontalAdvance(label.mid(at + 1)));
        if (longer < least) {
            least = longer;
            best = at;
        }
    }
    return best < 0 ? label : label.left(best) + u'\n' + label.mid(best + 1);
}

/// A label for the middle of an axis that lies so in a picture: broken into two lines where that makes it fit
/// beside the axis, and cut with an ellipsis where it would reach out of the picture.
QString labelBeside(const QString& label, const QFontMetricsF& metrics, int before, int after, int picture) {
    const double length = picture - before - after + 24, middle = (before + picture - after) / 2.0;
    const double most = 2 * std::min(middle, picture - middle) - 4;
    QStringList lines = broken(label, metrics, length).split(u'\n');
    for (auto& line : lines)
        if (most > 24) // it has a size by now
            line = metrics.elidedText(line, Qt::ElideRight, most);
    return lines.join(u'\n');
}

void setUpAxis(QCPAxis& axis, const ChartAxis& kind, const std::vector<QString>& names,
               const ChartStyle& style, bool baseline) {
    axis.setScaleType(kind.log && names.empty() ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (names.empty())
        axis.setTicker(QSharedPointer<NumberTicker>::create(&axis, kind));
    else
        axis.setTicker(QSharedPointer<NameTicker>::create(names, kind.categories.empty()));
    axis.setTickLabelRotation(0);
    axis.setLabel(kind.shownLabel());
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
    grid->setVisible(true);
    grid->setSubGridVisible(kind.log && names.empty());
    grid->setSubGridPen(QPen(style.role(ColorRole::Grid), 0.6));
}

/// Whether an x axis begins below zero only to leave room beside its first value.
bool isAboveZeroAcross(const Chart& chart) {
    const auto above = [](double x) { return !(x < 0); };
    return !chart.x.range && chart.xNames().empty() &&
           (!chart.cloud || std::ranges::all_of(chart.cloud->points->xExtremes, above)) &&
           std::ranges::all_of(chart.lines,
                               [&](const auto& line) { return std::ranges::all_of(line.x, above); }) &&
           std::ranges::all_of(chart.marks, above, &ChartMark::x) &&
           std::ranges::all_of(chart.references,
                               [&](const auto& line) { return !line.vertical || above(line.at); });
}

/// The share of an axis that may lie below zero: what does when all is shown. Nothing: there are values below
/// zero, or names.
std::optional<double> roomBelow(const engine::AxisRange& whole, bool isAboveZero) {
    if (whole.lower >= 0)
        return 0.0;
    return isAboveZero ? std::optional(-whole.lower / (whole.upper - whole.lower)) : std::nullopt;
}

} // namespace

ChartPainter::ChartPainter(QCustomPlot& plot)
    : m_plot(plot), m_ground(new ChartGround(&plot)), m_cloud(new CloudLayer(&plot)),
      m_overlay(new ChartOverlay(&plot, m_ground, m_cloud)) {
    m_plot.setNotAntialiasedElement(QCP::aeAxes, false);
    m_plot.plotLayout()->setMargins(QMargins());
    m_plot.setAutoAddPlottableToLegend(false); // ChartLegend it is; QCPLegend lays out at each of many curves
    QObject::connect(&m_plot, &QCustomPlot::beforeReplot, m_overlay, [this] { reserveMargins(); });
    for (auto* axis : {m_plot.xAxis, m_plot.yAxis, m_plot.yAxis2})
        QObject::connect(
            axis, qOverload<const QCPRange&, const QCPRange&>(&QCPAxis::rangeChanged), m_overlay,
            [this, axis](const QCPRange& to, const QCPRange& from) { stayAboveZero(*axis, to, from); });
    QObject::connect(&m_plot, &QCustomPlot::afterLayout, m_overlay, [this] { settleLayout(); });
}

Chart ChartPainter::draw(Chart chart, ChartStyle style) {
    auto before = std::exchange(m_chart, std::move(chart));
    if (m_chart.heatMap)
        m_chart.heatMap->range = m_chart.heatMap->scale(); // of a million cells it is looked for once
    m_style = style;
    m_ground->set(&m_chart, style);
    m_cloud->set(&m_chart, style);
    m_overlay->set(&m_chart, style);
    m_plot.setBackground(QBrush(style.role(ColorRole::Surface)));
    m_below = {roomBelow(m_chart.xRange(), isAboveZeroAcross(m_chart)), roomBelow(m_chart.yRange(), false),
               m_chart.right ? roomBelow(m_chart.rightRange(), false) : 0};
    setUpAxes();
    addLines();
    reserveMargins();
    m_plot.replot(QCustomPlot::rpQueuedReplot);
    return before;
}

void ChartPainter::setUpAxes() {
    const bool heat = m_chart.heatMap.has_value(), bars = m_chart.bars.has_value();
    auto& right = *m_plot.yAxis2;
    setUpAxis(*m_plot.xAxis, m_chart.x, m_chart.xNames(), m_style, !heat);
    setUpAxis(*m_plot.yAxis, m_chart.y, m_chart.yNames(), m_style, false);
    right.setVisible(m_chart.right && !heat);
    if (m_chart.right)
        setUpAxis(right, *m_chart.right, m_chart.right->categories, m_style, true);
    right.grid()->setVisible(false); // one grid: two that do not meet are read wrongly
    m_plot.yAxis->grid()->setVisible(!heat);
    // Lines between categories say nothing.
    m_plot.xAxis->grid()->setVisible(m_chart.xNames().empty());
    if (bars)
        m_plot.xAxis->setTickLength(0, 0);
    m_ground->setClipToAxisRect(!heat); // the star of the best cell may reach over the edge

    // A map is shown whole; bars move along their categories and stay on their ground.
    m_plot.setInteractions(heat ? QCP::Interactions() : QCP::iRangeDrag | QCP::iRangeZoom);
    QList<QCPAxis*> across{m_plot.xAxis}, up{m_plot.yAxis};
    if (m_chart.right)
        up << &right;
    auto* rect = m_plot.axisRect();
    rect->setRangeDragAxes(across, bars ? QList<QCPAxis*>() : up);
    rect->setRangeZoomAxes(across, bars ? QList<QCPAxis*>() : up);
}

void ChartPainter::reserveMargins() {
    auto* rect = m_plot.axisRect();
    rect->setMinimumMargins(QMargins(30, 0, m_chart.right ? 16 : 0, 30));
    fitNames();
    m_overlay->setBelow(rect->margins().bottom());
    auto needed = m_overlay->margins(m_plot.viewport().width());
    // Left, bottom and a right axis follow the tick labels at each layout; zero until then would shift
    // everything.
    needed.setLeft(rect->margins().left());
    needed.setBottom(rect->margins().bottom());
    const bool right = m_plot.yAxis2->visible();
    if (right)
        needed.setRight(rect->margins().right());
    rect->setAutoMargins(right ? QCP::msLeft | QCP::msBottom | QCP::msRight : QCP::msLeft | QCP::msBottom);
    rect->setMargins(needed);

    const QFontMetricsF metrics(m_style.font());
    const auto seen = m_plot.viewport();
    const auto margins = rect->margins();
    const auto upwards = [&](const ChartAxis& axis) {
        return labelBeside(axis.shownLabel(), metrics, margins.top(), margins.bottom(), seen.height());
    };
    m_plot.xAxis->setLabel(
        labelBeside(m_chart.x.shownLabel(), metrics, margins.left(), margins.right(), seen.width()));
    m_plot.yAxis->setLabel(upwards(m_chart.y));
    if (m_chart.right)
        m_plot.yAxis2->setLabel(upwards(*m_chart.right));
}

void ChartPainter::settleLayout() {
    // How names and numbers fit follows from the size of the axes, and the margins follow from them: with
    // margins that have changed, once more. Two rounds settle it; more could swing between two answers.
    for (int round = 0; round < 2 && m_plot.axisRect()->margins() != m_laidOut; ++round) {
        m_laidOut = m_plot.axisRect()->margins();
        reserveMargins();
        for (const auto phase :
             {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
            m_plot.plotLayout()->update(phase);
    }
}

void ChartPainter::fitNames() {
    auto& x = *m_plot.xAxis;
    const auto seen = m_plot.viewport();
    const auto margins = m_plot.axisRect()->margins();
    if (auto names = m_plot.yAxis->ticker().dynamicCast<NameTicker>())
        names->fitTo(*m_plot.yAxis, seen.height() - margins.top() - margins.bottom(), 0.26 * seen.width());
    auto names = x.ticker().dynamicCast<NameTicker>();
    if (!names)
        return;
    // Before the first layout the left margin is not known: take what numbers and a label usually need.
    const double length = seen.width() - std::max(margins.left(), 48) - margins.right();
    const double before = names->fitTo(x, length, std::min(120.0, 0.4 * seen.height()));
    auto least = m_plot.axisRect()->minimumMargins();
    least.setLeft(std::max(least.left(), static_cast<int>(before) + 2));
    m_plot.axisRect()->setMinimumMargins(least);

    bool shown = false;
    if (m_chart.bars && !m_chart.bars->names.empty() && x.range().size() > 0) {
        double widest = 0;
        for (const auto& name : m_chart.bars->names)
            widest = std::max(widest, QFontMetricsF(m_style.font()).horizontalAdvance(name));
        shown = length / x.range().size() * 0.8 / m_chart.bars->perGroup() >= widest + 3;
    }
    m_overlay->setBarNamesShown(shown);
    x.setTickLabelPadding(static_cast<int>(shown ? 5 + kBarNames : 5));
}

void ChartPainter::stayAboveZero(QCPAxis& axis, const QCPRange& to, const QCPRange& from) {
    const auto& room = &axis == m_plot.xAxis ? m_below.x : &axis == m_plot.yAxis ? m_below.y : m_below.right;
    if (!room || axis.scaleType() == QCPAxis::stLogarithmic)
        return;
    if (to.lower >= -to.size() * (*room + 1e-9))
        return;
    const bool moved = std::fabs(to.size() - from.size()) < 1e-9 * from.size();
    const double upper = moved ? (1 - *room) * from.size() : to.upper;
    axis.setRange(-*room / (1 - *room) * upper, upper);
}

void ChartPainter::fit() {
    const auto x = m_chart.xRange();
    const auto y = m_chart.yRange();
    m_plot.xAxis->setRange(x.lower, x.upper);
    m_plot.yAxis->setRange(y.lower, y.upper);
    if (m_chart.right) {
        const auto right = m_chart.rightRange();
        m_plot.yAxis2->setRange(right.lower, right.upper);
    }
    reserveMargins();
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void ChartPainter::zoomTo(const QRectF& pixels) {
    if (m_chart.heatMap)
        return;
    const auto show = [](QCPAxis& axis, double from, double to) {
        const double a = axis.pixelToCoord(from), b = axis.pixelToCoord(to);
        axis.setRange(std::min(a, b), std::max(a, b));
    };
    const auto part = pixels.intersected(plotArea());
    if (part.width() < 1 || part.height() < 1)
        return;
    show(*m_plot.xAxis, part.left(), part.right());
    if (!m_chart.bars) { // they stay on their ground
        show(*m_plot.yAxis, part.bottom(), part.top());
        if (m_chart.right)
            show(*m_plot.yAxis2, part.bottom(), part.top());
    }
    reserveMargins();
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void ChartPainter::focusLegend(const QString& name) {
    m_overlay->focusLegend(name);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

bool ChartPosition::isOn(const ChartLine& line) const {
    return !curve.isEmpty() && (line.name == curve || line.name.endsWith(QStringLiteral(", ") + curve));
}

void ChartPainter::setPosition(const ChartPosition& position) {
    m_overlay->setPosition(position);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void ChartPainter::select(std::optional<ChartPoint> point) {
    m_overlay->select(point);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void ChartPainter::setNotes(std::vector<ChartNote> notes) {
    if (notes == m_chart.notes)
        return;
    m_chart.notes = std::move(notes);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

QPointF ChartPainter::pixel(double x, double y, bool onRight) const {
    const auto* axis = onRight && m_chart.right ? m_plot.yAxis2 : m_plot.yAxis;
    return {m_plot.xAxis->coordToPixel(x), axis->coordToPixel(y)};
}

QPointF ChartPainter::pixelOf(ChartPoint point) const {
    const auto index = static_cast<std::size_t>(point.index);
    if (point.isArea())
        return frameOf(point).center();
    if (point.kind == ChartPoint::Kind::Cloud)
        return m_cloud->pixel(index);
    if (point.line < 0) {
        const auto& mark = m_chart.marks.at(index);
        return pixel(mark.x, mark.y);
    }
    const auto& line = m_chart.lines.at(static_cast<std::size_t>(point.line));
    return pixel(line.x.at(index), line.y.at(index), line.onRight);
}

double ChartPainter::diameterOf(ChartPoint point) const {
    if (point.isArea())
        return 0;
    if (point.kind == ChartPoint::Kind::Cloud)
        return m_cloud->diameter(static_cast<std::size_t>(point.index));
    return point.line < 0 ? m_chart.marks.at(static_cast<std::size_t>(point.index)).diameter : 6;
}

double ChartPainter::xAt(double pixelX) const {
    return m_plot.xAxis->pixelToCoord(pixelX);
}

double ChartPainter::yAt(double pixelY) const {
    return m_plot.yAxis->pixelToCoord(pixelY);
}

std::vector<LegendBox> ChartPainter::legendBoxes() const {
    return m_overlay->legendBoxes();
}

std::optional<ChartPoint> ChartPainter::cloudPointAt(QPointF at, double within) const {
    if (!m_chart.cloud)
        return std::nullopt;
    const auto found = m_cloud->nearest(at, within);
    return found ? std::optional(ChartPoint{0, static_cast<int>(*found), ChartPoint::Kind::Cloud})
                 : std::nullopt;
}

QRectF ChartPainter::plotArea() const {
    return m_plot.axisRect()->rect();
}

QRectF ChartPainter::frameOf(ChartPoint point) const {
    return frameOf(m_chart, *m_ground, point);
}

QRectF ChartPainter::frameOf(const Chart& chart, const ChartGround& ground, ChartPoint point) {
    if (point.line < 0 || point.index < 0)
        return {};
    const auto line = static_cast<std::size_t>(point.line), index = static_cast<std::size_t>(point.index);
    if (point.kind == ChartPoint::Kind::Cell && chart.heatMap)
        return ground.cellRect({line, index});
    if (point.kind == ChartPoint::Kind::Bar && chart.bars && line < chart.bars->series.size())
        return ground.barRect(chart.bars->series[line].bar, index);
    return {};
}

std::optional<ChartPoint> ChartPainter::areaAt(QPointF at) const {
    if (!plotArea().contains(at))
        return std::nullopt;
    const double x = m_plot.xAxis->pixelToCoord(at.x());
    if (m_chart.heatMap) {
        const double column = std::round(x), row = std::round(m_plot.yAxis->pixelToCoord(at.y()));
        const auto& z = m_chart.heatMap->z;
        if (row < 0 || column < 0 || row >= static_cast<double>(z.size()) ||
            column >= static_cast<double>(z[static_cast<std::size_t>(row)].size()))
            return std::nullopt;
        return ChartPoint{static_cast<int>(row), static_cast<int>(column), ChartPoint::Kind::Cell};
    }
    if (!m_chart.bars)
        return std::nullopt;
    const auto found = engine::barAt(x, m_chart.x.categories.size(), m_chart.bars->perGroup());
    if (!found)
        return std::nullopt;
    std::optional<ChartPoint> nearest;
    double least = 0;
    for (std::size_t i = 0; i < m_chart.bars->series.size(); ++i) {
        const auto& series = m_chart.bars->series[i];
        if (series.bar != found->bar || found->category >= series.values.size())
            continue;
        const auto piece = m_ground->pieceRect(i, found->category);
        const double away = std::max({0.0, piece.top() - at.y(), at.y() - piece.bottom()});
        if (!nearest || away < least) {
            least = away;
            nearest =
                ChartPoint{static_cast<int>(i), static_cast<int>(found->category), ChartPoint::Kind::Bar};
        }
    }
    return nearest;
}

} // namespace heteroscape::widgets
