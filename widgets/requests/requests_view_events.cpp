// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_text.h"
#include "widgets/requests/requests_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

// What mouse and keyboard do.

namespace heteroscape::widgets {

namespace {

constexpr double kGrabMargin = 4.0; ///< px around the overview's window
constexpr double kReach = 2.0;      ///< px from the cursor to what it means

} // namespace

void RequestsView::wheelEvent(QWheelEvent* event) {
    if (!hasLanes())
        return;
    const auto turn = event->angleDelta();
    const auto at = event->position();
    // Sideways, or with Shift (which some platforms turn into sideways themselves): moves.
    const int sideways = turn.x() != 0                                    ? turn.x()
                         : event->modifiers().testFlag(Qt::ShiftModifier) ? turn.y()
                                                                          : 0;
    if (sideways != 0) {
        chooseView(moved(m_view, -sideways / 120.0 * kKeyMove * m_view.length()));
    } else if (at.x() < m_layout.lanes.left()) {
        m_scroll->setValue(m_scroll->value() - turn.y() * m_scroll->singleStep() * 3 / 120);
    } else if (turn.y() != 0) {
        const double x = std::clamp(at.x(), m_layout.lanes.left(), m_layout.lanes.right());
        zoom(std::pow(kWheelZoom, -turn.y() / 120.0), m_layout.secondsAt(x, m_view));
    }
    hover(at);
    event->accept();
}

void RequestsView::mousePressEvent(QMouseEvent* event) {
    if (!hasLanes() || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
        QWidget::mousePressEvent(event);
        return;
    }
    const auto at = event->position();
    m_dragFrom = at;
    if (m_layout.overview.contains(at)) {
        const auto whole = m_lanes->whole();
        const auto window = windowIn(m_layout.overview, m_view, whole);
        if (!window.adjusted(-kGrabMargin, 0, kGrabMargin, 0).contains(at)) { // comes to the click first
            const double share = (at.x() - m_layout.overview.left()) / m_layout.overview.width();
            const double middle = whole.from + share * whole.length();
            chooseView({middle - m_view.length() / 2.0, middle + m_view.length() / 2.0});
        }
        m_drag = Drag::Window;
    } else if (m_layout.lanes.contains(at)) {
        m_drag = event->button() == Qt::LeftButton ? Drag::Press : Drag::Pan;
    }
    m_dragView = m_view;
    m_dragScroll = m_scroll->value();
}

void RequestsView::mouseMoveEvent(QMouseEvent* event) {
    const auto way = event->position() - m_dragFrom;
    if (m_drag == Drag::Press && way.manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = Drag::Pan;
        m_readOut->clear();
    }
    switch (m_drag) {
    case Drag::None:
        hover(event->position());
        return;
    case Drag::Press:
        return;
    case Drag::Pan:
        setCursor(Qt::ClosedHandCursor);
        m_scroll->setValue(m_dragScroll - static_cast<int>(std::lround(way.y())));
        chooseView(moved(m_dragView, -way.x() / m_layout.lanes.width() * m_dragView.length()));
        return;
    case Drag::Window:
        chooseView(moved(m_dragView, way.x() / m_layout.overview.width() * m_lanes->whole().length()));
        return;
    }
}

void RequestsView::mouseReleaseEvent(QMouseEvent* event) {
    const auto was = std::exchange(m_drag, Drag::None);
    if (was == Drag::None)
        return;
    unsetCursor();
    if (was == Drag::Press)
        click(event->position());
    hover(event->position());
}

void RequestsView::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::None; // the second release is no click
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto found = segmentAt(event->position()))
        zoomTo(m_lanes->segment(*found));
}

void RequestsView::leaveEvent(QEvent*) {
    m_readOut->clear();
}

std::optional<std::size_t> RequestsView::segmentAt(QPointF at) const {
    if (!hasLanes() || !m_layout.lanes.contains(at))
        return {};
    const auto lane = m_layout.laneAt(at.y());
    if (!lane)
        return {};
    const double pixel = m_view.length() / m_layout.lanes.width();
    return m_lanes->at(*lane, m_layout.secondsAt(at.x(), m_view), kReach * pixel);
}

void RequestsView::click(QPointF at) {
    m_walked.reset();
    const auto found = segmentAt(at);
    if (!found) {
        markRequest({});
        return;
    }
    const auto& segment = m_lanes->segment(*found);
    const auto now = markedRequest();
    // One of a marked batch stays the one that is marked.
    if (!now || *now < segment.request || *now > m_lanes->lastRequest(segment))
        markRequest(segment.request);
}

void RequestsView::hover(QPointF at) {
    if (const auto found = segmentAt(at))
        readOutSegment(*found, at);
    else
        m_readOut->clear();
}

void RequestsView::readOutSegment(std::size_t index, QPointF at) {
    const auto& segment = m_lanes->segment(index);
    m_readOut->present(readOutHeading(*m_lanes, segment), readOutRows(*m_lanes, segment), at, {}, true,
                       m_layout.lanes.top(), m_layout.lanes.bottom());
    m_readOut->raise();
}

void RequestsView::walkLanes(int step) {
    const auto count = static_cast<int>(m_lanes->lanes().size());
    int lane = m_walked   ? static_cast<int>(m_lanes->segment(*m_walked).lane)
               : step > 0 ? static_cast<int>(m_layout.seen().first) - 1
                          : static_cast<int>(m_layout.seen().second);
    const double time = m_walked ? m_lanes->segment(*m_walked).start : m_view.from;
    for (lane += step; lane >= 0 && lane < count; lane += step) {
        const auto [first, last] = m_lanes->bins().of(static_cast<std::size_t>(lane));
        if (first == last)
            continue;
        m_walked = std::min(m_lanes->bins().firstEndingAfter(static_cast<std::size_t>(lane), time), last - 1);
        showWalked();
        return;
    }
}

void RequestsView::walkSegments(int step) {
    if (!m_walked) {
        walkLanes(1);
        return;
    }
    const auto [first, last] = m_lanes->bins().of(m_lanes->segment(*m_walked).lane);
    if (step > 0 ? *m_walked + 1 < last : *m_walked > first)
        m_walked = step > 0 ? *m_walked + 1 : *m_walked - 1;
    showWalked();
}

void RequestsView::showWalked() {
    const auto& what = m_lanes->segment(*m_walked);
    const double length = m_view.length();
    const double seen = std::min(what.end, m_view.to) - std::max(what.start, m_view.from);
    if (seen < 0.5 * std::min(what.end - what.start, length)) { // at the same zoom
        const bool fits = what.end - what.start < length;
        const double from = fits ? (what.start + what.end - length) / 2.0 : what.start - 0.1 * length;
        chooseView({from, from + length});
    }
    scrollTo(what.lane);
    const auto rect = rectOf(*m_walked).intersected(m_layout.lanes);
    readOutSegment(*m_walked, rect.center());
    setAccessibleDescription(m_readOut->heading());
    update();
}

bool RequestsView::walkKey(QKeyEvent* event) {
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Up:
        walkLanes(-1);
        return true;
    case Qt::Key_Down:
        walkLanes(1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (control)
            walkSegments(event->key() == Qt::Key_Left ? -1 : 1);
        return control;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_walked)
            return false;
        if (event->modifiers().testFlag(Qt::ShiftModifier))
            zoomTo(m_lanes->segment(*m_walked));
        else
            markRequest(m_lanes->segment(*m_walked).request);
        return true;
    case Qt::Key_Escape:
        if (!m_marked && !m_walked && !m_readOut->isPresented())
            return false;
        m_walked.reset();
        m_readOut->clear();
        markRequest({});
        updateName();
        update();
        return true;
    default:
        return false;
    }
}

void RequestsView::keyPressEvent(QKeyEvent* event) {
    if (!hasLanes()) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (walkKey(event))
        return;
    const double middle = (m_view.from + m_view.to) / 2.0;
    const double by = kKeyMove * m_view.length();
    const auto whole = m_lanes->whole();
    switch (event->key()) {
    case Qt::Key_Left:
        chooseView(moved(m_view, -by));
        return;
    case Qt::Key_Right:
        chooseView(moved(m_view, by));
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1.0 / kKeyZoom, middle);
        return;
    case Qt::Key_Minus:
        zoom(kKeyZoom, middle);
        return;
    case Qt::Key_Home:
        showAll();
        return;
    case Qt::Key_End:
        chooseView({whole.to - m_view.length(), whole.to});
        return;
    case Qt::Key_PageUp:
        m_scroll->triggerAction(QAbstractSlider::SliderPageStepSub);
        return;
    case Qt::Key_PageDown:
        m_scroll->triggerAction(QAbstractSlider::SliderPageStepAdd);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void RequestsView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void RequestsView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace heteroscape::widgets
