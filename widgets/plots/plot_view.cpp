// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_view.h"

#include "widgets/plots/plot_view_impl.h"

#include <QKeyEvent>
#include <QPainter>

#include <qcustomplot.h>

namespace heteroscape::widgets {

PlotView::PlotView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {
    m_marks = new ViewMarks(this);
    m_readOut = new ReadOut(this);
    setFocusPolicy(Qt::StrongFocus);
    auto& plot = m_impl->plot;
    plot.setFocusPolicy(Qt::NoFocus);
    plot.setMouseTracking(true);
    plot.installEventFilter(this);
    m_pointer = std::make_unique<PlotPointer>(*this, plot, m_impl->painter, *m_marks, *m_readOut);
    m_notes = std::make_unique<PlotNotes>(*this, plot, m_impl->painter);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_impl->painter.draw(Chart(this->chart()), {});
        update();
    });
}

PlotView::~PlotView() {
    m_impl->plot.removeEventFilter(this);
}

const Chart& PlotView::chart() const {
    return m_impl->painter.chart();
}

Chart PlotView::setChart(Chart chart, bool keepView) {
    m_pointer->forget(); // it was of the chart before
    setAccessibleName(chart.title);
    m_selected.reset();
    m_scales.settle(chart);
    chart.notes = m_notes->shown();
    // What was hidden stays hidden as long as the legend has it.
    if (chart.hidden.empty() && chart.legendTitle == this->chart().legendTitle)
        chart.hidden = this->chart().hidden;
    auto before = m_impl->painter.draw(std::move(chart), {});
    m_pointer->describe({});
    m_impl->painter.select({});
    if (!keepView)
        m_impl->fit();
    return before;
}

ChartView PlotView::Impl::shown() const {
    const auto rangeOf = [](const QCPAxis* axis) {
        return engine::AxisRange{axis->range().lower, axis->range().upper};
    };
    return {rangeOf(plot.xAxis), rangeOf(plot.yAxis), rangeOf(plot.yAxis2)};
}

ChartView PlotView::view() const {
    auto shown = m_impl->shown();
    shown.whole = shown == m_impl->whole;
    return shown;
}

void PlotView::fit() {
    m_pointer->dismiss();
    m_impl->fit();
    m_pointer->showMark();
}

void PlotView::zoom(double factor) {
    auto& plot = m_impl->plot;
    if (chart().heatMap)
        return;
    m_pointer->dismiss();
    const auto across = plot.axisRect()->rangeZoomAxes(Qt::Horizontal);
    for (auto* axis : across + plot.axisRect()->rangeZoomAxes(Qt::Vertical))
        axis->scaleRange(factor);
    plot.replot(QCustomPlot::rpQueuedReplot);
    m_pointer->showMark();
}

void PlotView::select(std::optional<ChartPoint> point) {
    m_selected = point;
    m_impl->painter.select(point);
}

void PlotView::setPosition(const ChartPosition& position) {
    if (position == m_position)
        return;
    m_position = position;
    m_impl->painter.setPosition(position);
}

QPointF PlotView::pixelOf(ChartPoint point) const {
    return m_impl->painter.pixelOf(point) + m_impl->plot.pos();
}

void PlotView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_impl->plot.setGeometry(rect().adjusted(2, 2, -2, -2));
    m_marks->setGeometry(rect());
    m_marks->raise();
    m_readOut->setGeometry(rect());
    m_readOut->raise();
    m_pointer->dismiss();
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return m_pointer->walk(-1, 0);
    case Qt::Key_Right:
        return m_pointer->walk(1, 0);
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (chart().heatMap)
            return m_pointer->walk(0, event->key() == Qt::Key_Up ? 1 : -1);
        return m_pointer->walkLegend(event->key() == Qt::Key_Up ? -1 : 1);
    case Qt::Key_E:
        if (event->modifiers() != Qt::NoModifier)
            break;
        return m_pointer->explain(
            mapToGlobal(m_pointer->walked() ? pixelOf(*m_pointer->walked()).toPoint() : rect().center()));
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
        if (m_pointer->walked())
            emit pointActivated(*m_pointer->walked());
        return;
    case Qt::Key_Space:
        if (!m_pointer->entry().isEmpty())
            toggle(m_pointer->entry());
        else if (m_pointer->walked())
            emit pointClicked(*m_pointer->walked());
        return;
    case Qt::Key_Escape:
        if (m_marks->rubber()) {
            m_impl->box.reset();
            return m_marks->setRubber({});
        }
        if (m_readOut->isPresented() || m_marks->crosshair())
            return m_pointer->dismiss();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
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

#include "moc_plot_view.cpp"
