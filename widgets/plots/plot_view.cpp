// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_view.h"

#include "widgets/plots/chart_reading.h"
#include "widgets/plots/plot_view_impl.h"

#include <QKeyEvent>
#include <QPainter>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kNear = 12; // px within which a click means a point

} // namespace

PlotView::PlotView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {
    m_marks = new ViewMarks(this);
    m_readOut = new ReadOut(this);
    setFocusPolicy(Qt::StrongFocus);
    auto& plot = m_impl->plot;
    plot.setFocusPolicy(Qt::NoFocus);
    plot.setMouseTracking(true);
    plot.installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, this, &PlotView::recolour);
}

PlotView::~PlotView() {
    m_impl->plot.removeEventFilter(this);
}

const Chart& PlotView::chart() const {
    return m_impl->painter.chart();
}

void PlotView::setChart(const Chart& chart, bool keepView) {
    tellHovered({}); // it was a point of the chart before
    setAccessibleName(chart.title);
    m_walked.reset();
    m_selected.reset();
    m_hovered.reset();
    m_entry.clear();
    m_impl->painter.focusLegend({});
    auto drawn = chart;
    for (auto& [choice, axis] : {std::pair{&m_logX, &drawn.x}, {&m_logY, &drawn.y}})
        if (*choice && (*choice)->label != axis->label)
            choice->reset();
    // What was hidden stays hidden as long as the legend has it.
    if (drawn.hidden.empty() && drawn.legendTitle == this->chart().legendTitle)
        drawn.hidden = this->chart().hidden;
    applyLog(drawn);
    m_impl->painter.draw(drawn, {});
    m_marks->setMark({});
    m_marks->setRubber({});
    m_readOut->clear();
    describe({});
    m_impl->painter.select({});
    if (!keepView)
        m_impl->painter.fit();
}

void PlotView::describe(const QString& reading) {
    const auto& shown = chart();
    const auto what =
        shown.heatMap ? shownLabel(shown.heatMap->label, shown.heatMap->shown) : shown.y.shownLabel();
    const auto axes =
        shown.heatMap ? tr("%1 over %2 and %3").arg(what, shown.x.shownLabel(), shown.y.shownLabel())
        : shown.right ? tr("%1 and %2 over %3").arg(what, shown.right->shownLabel(), shown.x.shownLabel())
                      : tr("%1 over %2").arg(what, shown.x.shownLabel());
    setAccessibleDescription(reading.isEmpty() ? axes : reading + QStringLiteral(". ") + axes);
}

void PlotView::dismissReadOut() {
    tellHovered({});
    m_marks->setCrosshair({});
    if (!m_readOut->isPresented())
        return;
    m_readOut->clear();
    describe({});
}

void PlotView::fit() {
    dismissReadOut();
    m_impl->painter.fit();
    showMark();
}

void PlotView::zoom(double factor) {
    auto& plot = m_impl->plot;
    if (chart().heatMap)
        return;
    dismissReadOut();
    const auto across = plot.axisRect()->rangeZoomAxes(Qt::Horizontal);
    for (auto* axis : across + plot.axisRect()->rangeZoomAxes(Qt::Vertical))
        axis->scaleRange(factor);
    plot.replot(QCustomPlot::rpQueuedReplot);
    showMark();
}

void PlotView::select(std::optional<ChartPoint> point) {
    m_selected = point;
    m_impl->painter.select(point);
}

void PlotView::setPosition(std::optional<double> x) {
    if (x == m_position)
        return;
    m_position = x;
    m_impl->painter.setPosition(x);
}

void PlotView::recolour() {
    m_impl->painter.draw(Chart(chart()), {});
    update();
}

QPointF PlotView::pixelOf(ChartPoint point) const {
    return m_impl->painter.pixelOf(point) + m_impl->plot.pos();
}

std::optional<ChartPoint> PlotView::pointNear(QPointF at) const {
    std::optional<ChartPoint> nearest;
    double smallest = kNear;
    const auto seen =
        m_impl->painter.plotArea().translated(m_impl->plot.pos()).adjusted(-kNear, -kNear, kNear, kNear);
    const auto consider = [&](ChartPoint point, double radius) {
        const auto place = pixelOf(point);
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
    const auto in = at - QPointF(m_impl->plot.pos());
    const auto point = m_impl->painter.cloudPointAt(in, kNear);
    return point ? point : m_impl->painter.areaAt(in);
}

void PlotView::hover(QPointF at) {
    const auto& shown = chart();
    const bool inside = m_impl->painter.plotArea().contains(at - m_impl->plot.pos());
    const bool areas = shown.heatMap || shown.bars;
    if (!inside || !(areas || shown.hasData())) // a map of nothing still has its reasons
        return dismissReadOut();
    if (m_crosshair)
        showCrosshair(at);
    if (shown.cloud) {
        if (const auto point = pointNear(at); point && point->kind == ChartPoint::Kind::Cloud)
            readOutPoint(*point);
        else
            putAway();
        return;
    }
    if (areas) {
        if (const auto point = m_impl->painter.areaAt(at - QPointF(m_impl->plot.pos())))
            readOutPoint(*point, at);
        else
            putAway();
    } else if (!shown.marks.empty()) {
        const auto point = pointNear(at);
        if (point && point->line < 0)
            readOutPoint(*point);
        else
            putAway();
    } else if (!shown.namedLines().empty())
        readOutAt(m_impl->painter.xAt(at.x()), at);
}

void PlotView::readOutPoint(ChartPoint point, std::optional<QPointF> at) {
    auto reading = readingOf(chart(), point);
    tellHovered(point);
    std::optional<QRectF> frame;
    if (point.isArea())
        frame = m_impl->painter.frameOf(point).translated(m_impl->plot.pos());
    describe(reading.text());
    const auto place = at ? *at : pixelOf(point);
    if (point.kind == ChartPoint::Kind::Cloud)
        m_marks->setMark(ViewMarks::Mark{place, m_impl->painter.diameterOf(point) + 6});
    m_readOut->present(reading.heading, std::move(reading.rows), place, {}, false, 0, 0, frame);
}

void PlotView::readOutAt(double x, QPointF at) {
    double here = 0;
    auto reading = readingAt(chart(), x, &here);
    if (reading.rows.empty())
        return;
    std::vector<std::pair<QPointF, QColor>> dots;
    for (const auto point : reading.points)
        dots.emplace_back(pixelOf(point),
                          chart().lines[static_cast<std::size_t>(point.line)].color.resolve(false));
    describe(reading.text());
    std::optional<ChartPoint> nearest;
    for (const auto point : reading.points)
        if (!nearest || std::fabs(pixelOf(point).y() - at.y()) < std::fabs(pixelOf(*nearest).y() - at.y()))
            nearest = point;
    tellHovered(nearest);
    const auto area = m_impl->painter.plotArea().translated(m_impl->plot.pos());
    const double pixelX = m_impl->painter.pixel(here, 1).x() + m_impl->plot.pos().x();
    m_readOut->present(reading.heading, std::move(reading.rows), {pixelX, at.y()}, std::move(dots), true,
                       area.top(), area.bottom());
}

/// The read-out alone: lines at the pointer stay.
void PlotView::putAway() {
    tellHovered({});
    m_readOut->clear();
    describe({});
}

void PlotView::tellHovered(std::optional<ChartPoint> point) {
    if (point == m_told)
        return;
    m_told = point;
    if (!point || point->kind != ChartPoint::Kind::Cloud)
        showMark();
    emit pointHovered(point);
}

void PlotView::setHovered(std::optional<ChartPoint> point) {
    m_hovered = point;
    showMark();
}

/// The mark from elsewhere, unless this plot is pointed at itself.
void PlotView::showMark() {
    if (!m_hovered || m_told)
        return m_marks->setMark({});
    const auto at = pixelOf(*m_hovered);
    const auto area = m_impl->painter.plotArea().translated(m_impl->plot.pos());
    if (!std::isfinite(at.x()) || !std::isfinite(at.y()) || !area.adjusted(-2, -2, 2, 2).contains(at))
        return m_marks->setMark({});
    ViewMarks::Mark mark{at, m_impl->painter.diameterOf(*m_hovered) + 7};
    if (m_hovered->isArea())
        mark.frame = m_impl->painter.frameOf(*m_hovered).translated(m_impl->plot.pos());
    m_marks->setMark(mark);
}

void PlotView::walk(int right, int up) {
    m_entry.clear();
    m_impl->painter.focusLegend({});
    const auto to = walkedFrom(chart(), m_walked, right, up);
    if (!to)
        return;
    m_walked = to;
    if (m_crosshair)
        showCrosshair(pixelOf(*to));
    if (to->kind != ChartPoint::Kind::Point || to->line < 0)
        return readOutPoint(*to);
    const auto& curve = chart().lines[static_cast<std::size_t>(to->line)];
    readOutAt(curve.x[static_cast<std::size_t>(to->index)], {0, m_impl->painter.plotArea().center().y()});
}

void PlotView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_impl->plot.setGeometry(rect().adjusted(2, 2, -2, -2));
    m_marks->setGeometry(rect());
    m_marks->raise();
    m_readOut->setGeometry(rect());
    m_readOut->raise();
    dismissReadOut();
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return walk(-1, 0);
    case Qt::Key_Right:
        return walk(1, 0);
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (chart().heatMap)
            return walk(0, event->key() == Qt::Key_Up ? 1 : -1);
        return walkLegend(event->key() == Qt::Key_Up ? -1 : 1);
    case Qt::Key_E:
        if (event->modifiers() != Qt::NoModifier)
            break;
        return explain(mapToGlobal(m_walked ? pixelOf(*m_walked).toPoint() : rect().center()));
    case Qt::Key_Menu:
        return openMenu(mapToGlobal(rect().center()));
    case Qt::Key_Home:
    case Qt::Key_0:
        return fit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.8);
    case Qt::Key_Minus:
        return zoom(1.25);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_walked)
            emit pointActivated(*m_walked);
        return;
    case Qt::Key_Space:
        if (!m_entry.isEmpty())
            toggle(m_entry);
        else if (m_walked)
            emit pointClicked(*m_walked);
        return;
    case Qt::Key_Escape:
        if (m_marks->rubber()) {
            m_impl->box.reset();
            return m_marks->setRubber({});
        }
        if (m_readOut->isPresented() || m_marks->crosshair())
            return dismissReadOut();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void PlotView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PlotView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void PlotView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(ColorRole::Surface));
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().color(ColorRole::Focus), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

} // namespace heteroscape::widgets
