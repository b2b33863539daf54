// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_pointer.h"

#include "engine/units/number_text.h"
#include "widgets/plots/chart_reading.h"
#include "widgets/plots/plot_lines.h"
#include "widgets/plots/plot_view.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kNear = 12; // px within which a click means a point

/// What an axis reads at a place, with four digits; the name that stands there.
QString axisText(const ChartAxis& axis, const std::optional<QString>& name, double at) {
    return name ? *name
                : withUnit(QString::fromStdString(engine::shortText(at * axis.shown.factor, 4)),
                           unitOf(axis.shownLabel()));
}

} // namespace

PlotPointer::PlotPointer(PlotView& view, QCustomPlot& plot, ChartPainter& painter, ViewMarks& marks,
                         ReadOut& readOut)
    : m_view(view), m_plot(plot), m_painter(painter), m_marks(marks), m_readOut(readOut),
      m_lines(std::make_unique<PlotLines>(view, plot, painter)) {}

PlotPointer::~PlotPointer() = default;

QRectF PlotPointer::plotArea() const {
    return m_painter.plotArea().translated(m_plot.pos());
}

void PlotPointer::forget() {
    tell({});
    m_walked.reset();
    m_hovered.reset();
    m_entry.clear();
    m_painter.focusLegend({});
    m_marks.setMark({});
    m_marks.setRubber({});
    m_readOut.clear();
}

void PlotPointer::describe(const QString& reading) {
    const auto& shown = chart();
    const auto what =
        shown.heatMap ? shownLabel(shown.heatMap->label, shown.heatMap->shown) : shown.y.shownLabel();
    const auto axes =
        shown.heatMap ? tr("%1 over %2 and %3").arg(what, shown.x.shownLabel(), shown.y.shownLabel())
        : shown.right ? tr("%1 and %2 over %3").arg(what, shown.right->shownLabel(), shown.x.shownLabel())
                      : tr("%1 over %2").arg(what, shown.x.shownLabel());
    m_view.setAccessibleDescription(reading.isEmpty() ? axes : reading + QStringLiteral(". ") + axes);
}

void PlotPointer::dismiss() {
    tell({});
    m_marks.setCrosshair({});
    if (!m_readOut.isPresented())
        return;
    m_readOut.clear();
    describe({});
}

std::optional<ChartPoint> PlotPointer::near(QPointF at) const {
    std::optional<ChartPoint> nearest;
    double smallest = kNear;
    const auto seen = plotArea().adjusted(-kNear, -kNear, kNear, kNear);
    const auto consider = [&](ChartPoint point, double radius) {
        const auto place = m_view.pixelOf(point);
        if (!std::isfinite(place.y()) || !seen.contains(place))
            return; // panned away, or a gap
        const double length = QLineF(place, at).length();
        const double distance = std::max(0.0, length - radius);
        if (distance < smallest || (distance == smallest && distance == 0)) {
            smallest = distance;
            nearest = point;
        }
    };
    const auto& shown = chart();
    for (std::size_t i = 0; i < shown.marks.size(); ++i)
        consider({-1, static_cast<int>(i)}, shown.marks[i].diameter / 2);
    for (const auto line : shown.namedLines())
        for (std::size_t i = 0; i < shown.lines[line].x.size(); ++i)
            consider({static_cast<int>(line), static_cast<int>(i)}, 0);
    if (nearest)
        return nearest;
    const auto in = at - QPointF(m_plot.pos());
    const auto point = m_painter.cloudPointAt(in, kNear);
    return point ? point : m_painter.areaAt(in);
}

void PlotPointer::hover(QPointF at) {
    const auto& shown = chart();
    const bool inside = m_painter.plotArea().contains(at - m_plot.pos());
    const bool areas = shown.heatMap || shown.bars;
    if (!inside || !(areas || shown.hasData())) // a map of nothing still has its reasons
        return dismiss();
    if (m_crosshair)
        showCrosshair(at);
    if (shown.cloud) {
        if (const auto point = near(at); point && point->kind == ChartPoint::Kind::Cloud)
            readOutPoint(*point);
        else
            putAway();
        return;
    }
    if (areas) {
        if (const auto point = m_painter.areaAt(at - QPointF(m_plot.pos())))
            readOutPoint(*point, at);
        else
            putAway();
    } else if (!shown.marks.empty()) {
        const auto point = near(at);
        if (point && point->line < 0)
            readOutPoint(*point);
        else
            putAway();
    } else if (!shown.namedLines().empty())
        readOutAt(m_painter.xAt(at.x()), at);
}

void PlotPointer::readOutPoint(ChartPoint point, std::optional<QPointF> at) {
    auto reading = readingOf(chart(), point);
    tell(point);
    std::optional<QRectF> frame;
    if (point.isArea())
        frame = m_painter.frameOf(point).translated(m_plot.pos());
    describe(reading.text());
    const auto place = at ? *at : m_view.pixelOf(point);
    if (point.kind == ChartPoint::Kind::Cloud)
        m_marks.setMark(ViewMarks::Mark{place, m_painter.diameterOf(point) + 6});
    m_readOut.present(reading.heading, std::move(reading.rows), place, {}, false, 0, 0, frame);
}

void PlotPointer::readOutAt(double x, QPointF at) {
    double here = 0;
    auto reading = readingAt(chart(), x, &here);
    if (reading.rows.empty())
        return;
    std::vector<std::pair<QPointF, QColor>> dots;
    for (const auto point : reading.points)
        dots.emplace_back(m_view.pixelOf(point),
                          chart().lines[static_cast<std::size_t>(point.line)].color.resolve(false));
    describe(reading.text());
    std::optional<ChartPoint> nearest;
    for (const auto point : reading.points)
        if (!nearest ||
            std::fabs(m_view.pixelOf(point).y() - at.y()) < std::fabs(m_view.pixelOf(*nearest).y() - at.y()))
            nearest = point;
    tell(nearest);
    const auto area = plotArea();
    const double pixelX = m_painter.pixel(here, 1).x() + m_plot.pos().x();
    m_readOut.present(reading.heading, std::move(reading.rows), {pixelX, at.y()}, std::move(dots), true,
                      area.top(), area.bottom());
}

void PlotPointer::putAway() {
    tell({});
    m_readOut.clear();
    describe({});
}

void PlotPointer::tell(std::optional<ChartPoint> point) {
    if (point == m_told)
        return;
    m_told = point;
    if (!point || point->kind != ChartPoint::Kind::Cloud)
        showMark();
    emit m_view.pointHovered(point);
}

void PlotPointer::setHovered(std::optional<ChartPoint> point) {
    m_hovered = point;
    showMark();
}

void PlotPointer::showMark() {
    if (!m_hovered || m_told)
        return m_marks.setMark({});
    const auto at = m_view.pixelOf(*m_hovered);
    const auto area = plotArea();
    if (!std::isfinite(at.x()) || !std::isfinite(at.y()) || !area.adjusted(-2, -2, 2, 2).contains(at))
        return m_marks.setMark({});
    ViewMarks::Mark mark{at, m_painter.diameterOf(*m_hovered) + 7};
    if (m_hovered->isArea())
        mark.frame = m_painter.frameOf(*m_hovered).translated(m_plot.pos());
    m_marks.setMark(mark);
}

void PlotPointer::walk(int right, int up) {
    m_entry.clear();
    m_painter.focusLegend({});
    const auto to = walkedFrom(chart(), m_walked, right, up);
    if (!to)
        return;
    m_walked = to;
    if (m_crosshair)
        showCrosshair(m_view.pixelOf(*to));
    if (to->kind != ChartPoint::Kind::Point || to->line < 0)
        return readOutPoint(*to);
    const auto& curve = chart().lines[static_cast<std::size_t>(to->line)];
    readOutAt(curve.x[static_cast<std::size_t>(to->index)], {0, m_painter.plotArea().center().y()});
}

QString PlotPointer::entryAt(QPointF at) const {
    for (const auto& [name, box] : m_view.legendBoxes())
        if (box.contains(at))
            return name;
    return {};
}

void PlotPointer::walkLegend(int step) {
    const auto boxes = m_view.legendBoxes();
    if (boxes.empty())
        return;
    const auto at = std::find_if(boxes.begin(), boxes.end(),
                                 [this](const LegendBox& entry) { return entry.name == m_entry; });
    const auto count = std::ssize(boxes);
    const auto to = at == boxes.end() ? (step < 0 ? count - 1 : 0)
                                      : std::clamp<std::ptrdiff_t>(at - boxes.begin() + step, 0, count - 1);
    m_entry = boxes[static_cast<std::size_t>(to)].name;
    m_painter.focusLegend(m_entry);
    m_view.setAccessibleDescription(chart().isHidden(m_entry) ? tr("%1: hidden").arg(m_entry)
                                                              : tr("%1: shown").arg(m_entry));
}

void PlotPointer::setCrosshair(bool on) {
    m_crosshair = on;
    if (!on)
        m_marks.setCrosshair({});
}

void PlotPointer::showCrosshair(QPointF at) {
    const auto& shown = chart();
    const auto in = at - QPointF(m_plot.pos());
    const double x = m_painter.xAt(in.x()), y = m_painter.yAt(in.y());
    m_marks.setCrosshair(ViewMarks::Crosshair{at, plotArea(),
                                              axisText(shown.x, shown.xName(std::round(x)), x),
                                              axisText(shown.y, shown.yName(std::round(y)), y)});
}

void PlotPointer::explain(QPoint globalAt) {
    if (const auto point = m_walked ? m_walked : m_told ? m_told : m_view.selected())
        emit m_view.explainRequested(*point, globalAt);
}

} // namespace heteroscape::widgets
