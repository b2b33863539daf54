// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse and the menu do in a plot: boxes, the legend, logarithmic axes.
#include "widgets/plots/chart_overlay.h"
#include "widgets/plots/plot_view_impl.h"
#include "widgets/theme/plain_text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kClick = 4; // px: a press that moves less is a click

} // namespace

void PlotView::zoomTo(QRectF box) {
    m_pointer->dismiss();
    m_impl->painter.zoomTo(box.normalized().translated(-QPointF(m_impl->plot.pos())));
    m_pointer->showMark();
}

void PlotView::redraw(const Chart& chart) {
    const auto selected = m_selected;
    m_impl->painter.draw(chart, {});
    m_impl->painter.select(selected);
}

bool PlotView::isLog(Axis axis) const {
    return AxisScales::isLog(chart(), axis);
}

void PlotView::setLog(Axis axis, bool on) {
    auto chart = this->chart();
    if (!m_scales.choose(chart, axis, on))
        return;
    redraw(chart);
    fit();
}

std::vector<LegendBox> PlotView::legendBoxes() const {
    auto boxes = m_impl->painter.legendBoxes();
    for (auto& [name, box] : boxes)
        box.translate(m_impl->plot.pos());
    return boxes;
}

void PlotView::toggle(const QString& name) {
    auto chart = this->chart();
    const auto found = std::find(chart.hidden.begin(), chart.hidden.end(), name);
    const bool hides = found == chart.hidden.end();
    if (hides)
        chart.hidden.push_back(name);
    else
        chart.hidden.erase(found);
    m_pointer->dismiss();
    m_pointer->forgetWalk();
    redraw(chart);
    setAccessibleDescription(hides ? tr("%1: hidden").arg(name) : tr("%1: shown").arg(name));
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
        action->setEnabled(AxisScales::canBeLog(chart(), axis));
        connect(action, &QAction::triggered, this, [this, axis](bool on) {
            setLog(axis, on);
            emit logToggled(axis, on);
        });
    };
    m_notes->addTo(*menu, mapFromGlobal(at));
    if (isSignalConnected(QMetaMethod::fromSignal(&PlotView::explainRequested))) {
        auto* how = menu->addAction(tr("How it comes about"));
        how->setEnabled(m_pointer->told() || m_pointer->walked() || m_selected);
        connect(how, &QAction::triggered, this, [this, at] { m_pointer->explain(at); });
        menu->addSeparator();
    }
    addLog(Axis::X, tr("Logarithmic x"));
    addLog(Axis::Y, tr("Logarithmic y"));
    menu->addSeparator();
    menu->addAction(tr("Show all"), this, &PlotView::fit);
    auto* cross = menu->addAction(tr("Crosshair"));
    cross->setCheckable(true);
    cross->setChecked(m_pointer->hasCrosshair());
    connect(cross, &QAction::triggered, this, [this](bool on) { m_pointer->setCrosshair(on); });
    auto* brush = menu->addAction(tr("Drag selects"));
    brush->setCheckable(true);
    brush->setChecked(m_brushing);
    connect(brush, &QAction::triggered, this, &PlotView::setBrushing);
    menu->popup(at);
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

void PlotView::endBox(QPointF at) {
    const auto box = *m_impl->box;
    m_impl->box.reset();
    m_marks->setRubber({});
    const QRectF drawn = QRectF(box.from, at).normalized();
    if ((at - box.from).manhattanLength() < kClick) {
        if (box.right)
            openMenu(mapToGlobal(at.toPoint()));
        else if (box.tells && m_brushing && m_pointer->entryAt(at).isEmpty() && !m_pointer->near(at))
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
            const auto area = m_pointer->plotArea();
            m_marks->setRubber(QRectF(m_impl->box->from, position()).normalized().intersected(area));
            return true;
        }
        if (static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton)
            m_pointer->hover(position());
        else
            m_pointer->dismiss();
        break;
    case QEvent::Leave:
    case QEvent::Wheel:
        m_pointer->dismiss();
        break;
    case QEvent::MouseButtonPress: {
        setFocus(Qt::MouseFocusReason);
        m_impl->pressed = position().toPoint();
        const auto& press = *static_cast<QMouseEvent*>(event);
        const bool shift = press.modifiers().testFlag(Qt::ShiftModifier);
        const bool control = press.modifiers().testFlag(Qt::ControlModifier);
        const bool right = press.button() == Qt::RightButton;
        if (!right && !(press.button() == Qt::LeftButton && (shift || m_brushing)))
            break;
        const bool tells = !right && ((shift && control) || (m_brushing && !shift));
        m_impl->box = Impl::Box{position(), right, tells};
        m_pointer->dismiss();
        return true;
    }
    case QEvent::MouseButtonRelease: {
        const bool clicked =
            m_impl->pressed && (position().toPoint() - *m_impl->pressed).manhattanLength() < kClick;
        if (m_impl->box) {
            const bool right = m_impl->box->right;
            endBox(position());
            if (right || !clicked)
                return true;
        } else if (!clicked) {
            break;
        }
        if (const auto name = m_pointer->entryAt(position()); !name.isEmpty())
            toggle(name);
        else if (const auto point = m_pointer->near(position()))
            emit pointClicked(*point);
        break;
    }
    case QEvent::MouseButtonDblClick:
        if (!m_pointer->entryAt(position()).isEmpty())
            return true; // its release is the second click
        fit();
        m_impl->pressed.reset(); // other points lie under the pointer now
        break;
    case QEvent::ToolTip: {
        const auto& help = *static_cast<QHelpEvent*>(event);
        for (const auto& [whole, box] : m_impl->painter.overlay().legendCut())
            if (box.contains(help.pos())) {
                QToolTip::showText(help.globalPos(), plainTip(whole), &m_impl->plot);
                return true;
            }
        QToolTip::hideText();
        break;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
