// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse and the menu do in a plot: boxes, the legend, logarithmic axes, the crosshair.
#include "engine/units/number_text.h"
#include "widgets/plots/plot_view_impl.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kClick = 4; // px: a press that moves less is a click

/// What an axis reads at a place, with four digits; the name that stands there.
QString axisText(const ChartAxis& axis, const std::vector<QString>& names, double at) {
    if (names.empty())
        return withUnit(QString::fromStdString(engine::shortText(at * axis.shown.factor, 4)),
                        unitOf(axis.shownLabel()));
    const double place = std::round(at);
    return place >= 0 && place < static_cast<double>(names.size()) ? names[static_cast<std::size_t>(place)]
                                                                   : QString();
}

} // namespace

void PlotView::zoomTo(QRectF box) {
    dismissReadOut();
    m_impl->painter.zoomTo(box.normalized().translated(-QPointF(m_impl->plot.pos())));
    showMark();
}

void PlotView::redraw(const Chart& chart) {
    const auto selected = m_selected;
    m_impl->painter.draw(chart, {});
    m_impl->painter.select(selected);
}

void PlotView::applyLog(Chart& chart) const {
    if (m_logX)
        chart.x.log = m_logX->on;
    if (m_logY)
        chart.y.log = m_logY->on;
}

bool PlotView::isLog(Axis axis) const {
    return (axis == Axis::X ? chart().x : chart().y).log;
}

bool PlotView::canBeLog(Axis axis) const {
    const auto& shown = chart();
    if (shown.heatMap || !(axis == Axis::X ? shown.xNames() : shown.yNames()).empty())
        return false;
    if (isLog(axis))
        return true;
    const auto above = [](const std::vector<double>& values) {
        return std::any_of(values.begin(), values.end(), [](double v) { return v > 0; });
    };
    if (shown.bars && above({shown.yRange().upper}))
        return true;
    for (const auto& line : shown.lines)
        if (above(axis == Axis::X ? line.x : line.y))
            return true;
    for (const auto& mark : shown.marks)
        if ((axis == Axis::X ? mark.x : mark.y) > 0)
            return true;
    return shown.cloud &&
           above(axis == Axis::X ? shown.cloud->points->xExtremes : shown.cloud->points->yExtremes);
}

void PlotView::setLog(Axis axis, bool on) {
    if (on == isLog(axis) || !canBeLog(axis))
        return;
    auto chart = this->chart();
    auto& choice = axis == Axis::X ? m_logX : m_logY;
    choice = LogChoice{(axis == Axis::X ? chart.x : chart.y).label, on};
    applyLog(chart);
    (axis == Axis::X ? chart.x : chart.y).range.reset(); // of the other scale
    redraw(chart);
    fit();
}

void PlotView::setCrosshair(bool on) {
    m_crosshair = on;
    if (!on)
        m_marks->setCrosshair({});
}

void PlotView::showCrosshair(QPointF at) {
    const auto& shown = chart();
    const auto in = at - QPointF(m_impl->plot.pos());
    m_marks->setCrosshair(
        ViewMarks::Crosshair{at, m_impl->painter.plotArea().translated(m_impl->plot.pos()),
                             axisText(shown.x, shown.xNames(), m_impl->painter.xAt(in.x())),
                             axisText(shown.y, shown.yNames(), m_impl->painter.yAt(in.y()))});
}

std::vector<LegendBox> PlotView::legendBoxes() const {
    auto boxes = m_impl->painter.legendBoxes();
    for (auto& [name, box] : boxes)
        box.translate(m_impl->plot.pos());
    return boxes;
}

QString PlotView::legendAt(QPointF at) const {
    for (const auto& [name, box] : legendBoxes())
        if (box.contains(at))
            return name;
    return {};
}

void PlotView::toggle(const QString& name) {
    auto chart = this->chart();
    const auto found = std::find(chart.hidden.begin(), chart.hidden.end(), name);
    const bool hides = found == chart.hidden.end();
    if (hides)
        chart.hidden.push_back(name);
    else
        chart.hidden.erase(found);
    dismissReadOut();
    m_walked.reset();
    redraw(chart);
    setAccessibleDescription(hides ? tr("%1: hidden").arg(name) : tr("%1: shown").arg(name));
}

void PlotView::walkLegend(int step) {
    const auto boxes = legendBoxes();
    if (boxes.empty())
        return;
    const auto at = std::find_if(boxes.begin(), boxes.end(),
                                 [this](const LegendBox& entry) { return entry.name == m_entry; });
    const auto count = std::ssize(boxes);
    const auto to = at == boxes.end() ? (step < 0 ? count - 1 : 0)
                                      : std::clamp<std::ptrdiff_t>(at - boxes.begin() + step, 0, count - 1);
    m_entry = boxes[static_cast<std::size_t>(to)].name;
    m_impl->painter.focusLegend(m_entry);
    setAccessibleDescription(chart().isHidden(m_entry) ? tr("%1: hidden").arg(m_entry)
                                                       : tr("%1: shown").arg(m_entry));
}

void PlotView::openMenu(QPoint at) {
    // Some systems send the menu key both as a key and as the wish for a menu.
    if (const auto* open = findChild<QMenu*>(QStringLiteral("plotMenu")); open && open->isVisible())
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("plotMenu"));
    menu->setAccessibleName(tr("Plot"));
    const auto addLog = [this, menu](Axis axis, const QString& text) {
        auto* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(isLog(axis));
        action->setEnabled(canBeLog(axis));
        connect(action, &QAction::triggered, this, [this, axis](bool on) {
            setLog(axis, on);
            emit logToggled(axis, on);
        });
    };
    if (isSignalConnected(QMetaMethod::fromSignal(&PlotView::explainRequested))) {
        auto* how = menu->addAction(tr("How it comes about"));
        how->setEnabled(m_told || m_walked || m_selected);
        connect(how, &QAction::triggered, this, [this, at] { explain(at); });
        menu->addSeparator();
    }
    addLog(Axis::X, tr("Logarithmic x"));
    addLog(Axis::Y, tr("Logarithmic y"));
    menu->addSeparator();
    menu->addAction(tr("Show all"), this, &PlotView::fit);
    auto* cross = menu->addAction(tr("Crosshair"));
    cross->setCheckable(true);
    cross->setChecked(m_crosshair);
    connect(cross, &QAction::triggered, this, &PlotView::setCrosshair);
    auto* brush = menu->addAction(tr("Drag selects"));
    brush->setCheckable(true);
    brush->setChecked(m_brushing);
    connect(brush, &QAction::triggered, this, &PlotView::setBrushing);
    menu->popup(at);
}

void PlotView::explain(QPoint at) {
    if (const auto point = m_walked ? m_walked : m_told ? m_told : m_selected)
        emit explainRequested(*point, at);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
    // The right button draws boxes: where it was only clicked, its release opens the menu.
    if (event->reason() != QContextMenuEvent::Mouse)
        openMenu(mapToGlobal(rect().center()));
    event->accept();
}

void PlotView::setBrushing(bool on) {
    if (m_brushing == on)
        return;
    m_brushing = on;
    if (on)
        m_impl->plot.setCursor(Qt::CrossCursor);
    else
        m_impl->plot.unsetCursor();
    emit brushingChanged(on);
}

bool PlotView::beginBox(const QMouseEvent& event) {
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event.modifiers().testFlag(Qt::ControlModifier);
    const auto at = event.position() + QPointF(m_impl->plot.pos());
    const bool right = event.button() == Qt::RightButton;
    const bool tells = !right && ((shift && control) || (m_brushing && !shift));
    if (!right && !(event.button() == Qt::LeftButton && (shift || m_brushing)))
        return false;
    m_impl->box = Impl::Box{at, right, tells};
    return true;
}

void PlotView::endBox(QPointF at) {
    const auto box = *m_impl->box;
    m_impl->box.reset();
    m_marks->setRubber({});
    const QRectF drawn = QRectF(box.from, at).normalized();
    if ((at - box.from).manhattanLength() < kClick) {
        if (box.right)
            openMenu(mapToGlobal(at.toPoint()));
        else if (box.tells && m_brushing && legendAt(at).isEmpty() && !pointNear(at))
            emit boxSelected({}); // a click beside everything takes the brush away
        return;
    }
    const auto part = drawn.translated(-QPointF(m_impl->plot.pos())).intersected(m_impl->painter.plotArea());
    if (part.width() < 1 || part.height() < 1)
        return;
    if (!box.tells)
        return zoomTo(drawn);
    const auto& painter = m_impl->painter;
    emit boxSelected(QRectF(QPointF(painter.xAt(part.left()), painter.yAt(part.bottom())),
                            QPointF(painter.xAt(part.right()), painter.yAt(part.top()))));
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &m_impl->plot)
        return QWidget::eventFilter(watched, event);
    const auto position = [event, this] {
        return static_cast<QMouseEvent*>(event)->position() + QPointF(m_impl->plot.pos());
    };
    switch (event->type()) {
    case QEvent::MouseMove:
        if (m_impl->box) {
            const auto area = m_impl->painter.plotArea().translated(m_impl->plot.pos());
            m_marks->setRubber(QRectF(m_impl->box->from, position()).normalized().intersected(area));
            return true;
        }
        if (static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton)
            hover(position());
        else
            dismissReadOut();
        break;
    case QEvent::Leave:
    case QEvent::Wheel:
        dismissReadOut();
        break;
    case QEvent::MouseButtonPress:
        setFocus(Qt::MouseFocusReason);
        m_impl->pressed = position().toPoint();
        if (!beginBox(*static_cast<QMouseEvent*>(event)))
            break;
        dismissReadOut();
        return true;
    case QEvent::MouseButtonRelease: {
        const bool clicked = (position().toPoint() - m_impl->pressed).manhattanLength() < kClick;
        if (m_impl->box) {
            const bool right = m_impl->box->right;
            endBox(position());
            if (right || !clicked)
                return true;
        } else if (!clicked) {
            break;
        }
        if (const auto name = legendAt(position()); !name.isEmpty())
            toggle(name);
        else if (const auto point = pointNear(position()))
            emit pointClicked(*point);
        break;
    }
    case QEvent::MouseButtonDblClick:
        if (!legendAt(position()).isEmpty())
            return true; // its release is the second click
        fit();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
