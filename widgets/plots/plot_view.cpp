// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_view.h"

#include "engine/plotting/series.h"
#include "engine/units/number_text.h"

#include <QKeyEvent>
#include <QPainter>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kNear = 12; // px within which a click means a point

QString valueText(double value) {
    return QString::fromStdString(engine::shortText(value, 6));
}

/// "FPGA count" of "FPGA count (cards)".
QString quantityOf(const QString& label) {
    const auto at = label.lastIndexOf(QStringLiteral(" ("));
    return at < 0 ? label : label.left(at);
}

} // namespace

struct PlotView::Impl {
    explicit Impl(QWidget* parent) : plot(parent), painter(plot) {}
    QCustomPlot plot;
    ChartPainter painter;
    QPoint pressed;
};

PlotView::PlotView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {
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

void PlotView::setPlot(const LinePlotSpec& spec) {
    setChart(lineChart(spec));
}

void PlotView::setChart(const Chart& chart, bool keepView) {
    setAccessibleName(chart.title);
    setAccessibleDescription(tr("%1 over %2").arg(chart.y.label, chart.x.label));
    m_readOut->clear();
    m_walked.reset();
    m_selected.reset();
    m_impl->painter.draw(chart, {});
    m_impl->painter.select({});
    if (!keepView)
        m_impl->painter.fit();
}

void PlotView::fit() {
    m_readOut->clear();
    m_impl->painter.fit();
}

void PlotView::zoom(double factor) {
    auto& plot = m_impl->plot;
    m_readOut->clear();
    plot.xAxis->scaleRange(factor);
    plot.yAxis->scaleRange(factor);
    plot.replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::select(std::optional<ChartPoint> point) {
    m_selected = point;
    m_impl->painter.select(point);
}

void PlotView::recolour() {
    m_impl->painter.draw(Chart(chart()), {});
    update();
}

QPointF PlotView::pixelOf(ChartPoint point) const {
    const auto index = static_cast<std::size_t>(point.index);
    if (point.line < 0) {
        const auto& mark = chart().marks.at(index);
        return m_impl->painter.pixel(mark.x, mark.y) + m_impl->plot.pos();
    }
    const auto& line = chart().lines.at(static_cast<std::size_t>(point.line));
    return m_impl->painter.pixel(line.x.at(index), line.y.at(index)) + m_impl->plot.pos();
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
    return nearest;
}

void PlotView::hover(QPointF at) {
    if (!m_impl->painter.plotArea().contains(at - m_impl->plot.pos()) || !chart().hasData()) {
        m_readOut->clear();
        return;
    }
    const auto& shown = chart();
    if (!shown.marks.empty()) {
        const auto point = pointNear(at);
        if (point && point->line < 0)
            readOutMark(point->index);
        else
            m_readOut->clear();
    } else if (!shown.namedLines().empty())
        readOutAt(m_impl->painter.xAt(at.x()), at);
}

void PlotView::readOutMark(int index) {
    const auto& mark = chart().marks[static_cast<std::size_t>(index)];
    std::vector<ReadOut::Row> rows;
    for (const auto& [name, value] : mark.readOut)
        rows.push_back({name, value, {}});
    m_readOut->present(mark.name, std::move(rows), pixelOf({-1, index}), {}, false, 0, 0);
}

void PlotView::readOutAt(double x, QPointF at) {
    const auto& shown = chart();
    std::vector<double> xs;
    for (const auto line : shown.namedLines())
        xs.insert(xs.end(), shown.lines[line].x.begin(), shown.lines[line].x.end());
    const auto nearest = engine::nearestIndex(xs, x, shown.x.log);
    if (!nearest)
        return;
    const double here = xs[*nearest];
    std::vector<ReadOut::Row> rows;
    std::vector<std::pair<QPointF, QColor>> dots;
    for (const auto line : shown.namedLines()) {
        const auto& curve = shown.lines[line];
        const auto found = std::find(curve.x.begin(), curve.x.end(), here);
        if (found == curve.x.end())
            continue;
        const auto index = found - curve.x.begin();
        const double value = curve.y[static_cast<std::size_t>(index)];
        const auto color = curve.color.resolve(false);
        rows.push_back({curve.name, std::isnan(value) ? tr("not feasible") : valueText(value), color});
        const auto dot = pixelOf({static_cast<int>(line), static_cast<int>(index)});
        if (!std::isnan(value))
            dots.emplace_back(dot, color);
    }
    const auto area = m_impl->painter.plotArea().translated(m_impl->plot.pos());
    const double pixelX = m_impl->painter.pixel(here, 1).x() + m_impl->plot.pos().x();
    m_readOut->present(
        tr("%1 %2").arg(quantityOf(shown.x.label), QString::fromStdString(engine::tickText(here))),
        std::move(rows), {pixelX, at.y()}, std::move(dots), true, area.top(), area.bottom());
}

void PlotView::walk(int step) {
    const auto& shown = chart();
    const auto named = shown.namedLines();
    if (!shown.marks.empty()) {
        const int count = static_cast<int>(shown.marks.size());
        const int from = m_walked ? m_walked->index : step > 0 ? -1 : count;
        m_walked = ChartPoint{-1, std::clamp(from + step, 0, count - 1)};
        readOutMark(m_walked->index);
        return;
    }
    if (named.empty() || shown.lines[named.front()].x.empty())
        return;
    const auto& curve = shown.lines[named.front()];
    const int count = static_cast<int>(curve.x.size());
    const int from = m_walked ? m_walked->index : step > 0 ? -1 : count;
    m_walked = ChartPoint{static_cast<int>(named.front()), std::clamp(from + step, 0, count - 1)};
    const auto area = m_impl->painter.plotArea();
    readOutAt(curve.x[static_cast<std::size_t>(m_walked->index)], {0, area.center().y()});
}

void PlotView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_impl->plot.setGeometry(rect().adjusted(2, 2, -2, -2));
    m_readOut->setGeometry(rect());
    m_readOut->raise();
    m_readOut->clear();
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return walk(-1);
    case Qt::Key_Right:
        return walk(1);
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
        if (m_walked)
            emit pointClicked(*m_walked);
        return;
    case Qt::Key_Escape:
        if (m_readOut->isPresented())
            return m_readOut->clear();
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

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &m_impl->plot)
        return QWidget::eventFilter(watched, event);
    const auto position = [event, this] {
        return static_cast<QMouseEvent*>(event)->position() + QPointF(m_impl->plot.pos());
    };
    switch (event->type()) {
    case QEvent::MouseMove:
        if (static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton)
            hover(position());
        else
            m_readOut->clear();
        break;
    case QEvent::Leave:
    case QEvent::Wheel:
        m_readOut->clear();
        break;
    case QEvent::MouseButtonPress:
        setFocus(Qt::MouseFocusReason);
        m_impl->pressed = position().toPoint();
        break;
    case QEvent::MouseButtonRelease:
        if ((position().toPoint() - m_impl->pressed).manhattanLength() < 4)
            if (const auto point = pointNear(position()))
                emit pointClicked(*point);
        break;
    case QEvent::MouseButtonDblClick:
        if (const auto point = pointNear(position()))
            emit pointActivated(*point);
        else
            fit();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
