// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "widgets/timeline/timeline_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// What mouse and keyboard do.

namespace heteroscape::widgets {

namespace {

constexpr double kGrabMargin = 4.0; ///< px around the overview's window

} // namespace

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (m_tracks.empty())
        return;
    const auto turn = event->angleDelta();
    // Sideways, or with Shift (which some platforms turn into sideways themselves): moves.
    const int sideways = turn.x() != 0                                    ? turn.x()
                         : event->modifiers().testFlag(Qt::ShiftModifier) ? turn.y()
                                                                          : 0;
    if (sideways != 0) {
        const double by = -sideways / 120.0 * kKeyMove * m_view.length();
        chooseView(moved(m_view, by));
    } else if (turn.y() != 0) {
        const double at = std::clamp(event->position().x(), m_layout.lanes.left(), m_layout.lanes.right());
        zoom(std::pow(kWheelZoom, -turn.y() / 120.0), m_layout.secondsAt(at, m_view));
    }
    hover(event->position());
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (m_tracks.empty() || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
        QWidget::mousePressEvent(event);
        return;
    }
    const auto at = event->position();
    const double end = endOf(m_tracks);
    if (at.y() >= m_layout.overview.top() && at.y() < m_layout.overview.bottom()) {
        const auto window = overviewWindow(m_layout, m_view, end);
        if (!window.adjusted(-kGrabMargin, 0, kGrabMargin, 0).contains(at)) { // comes to the click first
            const double middle = (at.x() - m_layout.overview.left()) / m_layout.overview.width() * end;
            chooseView({middle - m_view.length() / 2.0, middle + m_view.length() / 2.0});
        }
        m_drag = Drag::Window;
    } else if (at.x() >= m_layout.lanes.left() && at.x() < m_layout.lanes.right()) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
    m_dragFrom = at;
    m_dragView = m_view;
    m_readOut->clear();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const double way = event->position().x() - m_dragFrom.x();
    switch (m_drag) {
    case Drag::None:
        hover(event->position());
        return;
    case Drag::Pan: {
        const double by = -way / m_layout.lanes.width() * m_dragView.length();
        chooseView(moved(m_dragView, by));
        return;
    }
    case Drag::Window: {
        const double by = way / m_layout.overview.width() * endOf(m_tracks);
        chooseView(moved(m_dragView, by));
        return;
    }
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::None)
        return;
    m_drag = Drag::None;
    unsetCursor();
    hover(event->position());
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto* row = m_layout.rowAt(event->position().y());
    if (!row || event->button() != Qt::LeftButton)
        return;
    const auto& step = m_tracks[row->track].step();
    const double layer = std::floor(m_layout.secondsAt(event->position().x(), m_view) / step.layerSeconds);
    if (layer >= 0.0 && layer < step.layers)
        chooseView({layer * step.layerSeconds, (layer + 1.0) * step.layerSeconds});
}

void TimelineView::leaveEvent(QEvent*) {
    m_readOut->clear();
}

void TimelineView::hover(QPointF at) {
    const auto* row = m_layout.rowAt(at.y());
    if (!row || !row->lane || at.x() < m_layout.lanes.left() || at.x() >= m_layout.lanes.right()) {
        m_readOut->clear();
        return;
    }
    const auto& track = m_tracks[row->track];
    const auto found = track.at(*row->lane, m_layout.secondsAt(at.x(), m_view));
    if (!found) {
        m_readOut->clear();
        return;
    }
    readOutSegment(*row, *found, at);
}

void TimelineView::readOutSegment(const TimelineLayout::Row& row, std::size_t index, QPointF at) {
    const auto& track = m_tracks[row.track];
    const auto& segment = track.segments(*row.lane)[index];
    m_readOut->present(readOutHeading(segment.data), readOutRows(track, *row.lane, index), at, {}, true,
                       m_layout.lanes.top(), m_layout.lanes.bottom());
}

void TimelineView::walkLanes(int step) {
    const int rows = static_cast<int>(m_layout.rows.size());
    int row = m_walked ? static_cast<int>(m_walked->row) : step > 0 ? -1 : rows;
    do
        row += step;
    while (row >= 0 && row < rows && !m_layout.rows[static_cast<std::size_t>(row)].lane);
    if (row < 0 || row >= rows)
        return;
    const auto& to = m_layout.rows[static_cast<std::size_t>(row)];
    const auto& track = m_tracks[to.track];
    double time = m_view.from; // from where one was, else from the left
    if (m_walked) {
        const auto& was = m_layout.rows[m_walked->row];
        time = m_tracks[was.track].segments(*was.lane)[m_walked->segment].data.start;
    }
    const auto last = track.segments(*to.lane).size() - 1;
    m_walked =
        Place{static_cast<std::size_t>(row), std::min(track.within(*to.lane, {time, time}).first, last)};
    showWalked();
}

void TimelineView::walkSegments(int step) {
    if (!m_walked) {
        walkLanes(1);
        return;
    }
    const auto& row = m_layout.rows[m_walked->row];
    const auto count = static_cast<int>(m_tracks[row.track].segments(*row.lane).size());
    m_walked->segment =
        static_cast<std::size_t>(std::clamp(static_cast<int>(m_walked->segment) + step, 0, count - 1));
    showWalked();
}

void TimelineView::showWalked() {
    const auto& row = m_layout.rows[m_walked->row];
    const auto& what = m_tracks[row.track].segments(*row.lane)[m_walked->segment].data;
    if (what.start < m_view.from || what.end > m_view.to) {
        const double middle = (what.start + what.end) / 2.0;
        const double length = std::max(m_view.length(), what.end - what.start);
        chooseView({middle - length / 2.0, middle + length / 2.0});
    }
    readOutSegment(row, m_walked->segment, rectOf(row.track, *row.lane, m_walked->segment).center());
    setAccessibleDescription(m_readOut->heading());
    update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = (m_view.from + m_view.to) / 2.0;
    const double by = kKeyMove * m_view.length();
    switch (m_tracks.empty() ? Qt::Key_unknown : event->key()) {
    case Qt::Key_Up:
        walkLanes(-1);
        return;
    case Qt::Key_Down:
        walkLanes(1);
        return;
    case Qt::Key_Left:
        if (event->modifiers().testFlag(Qt::ControlModifier)) {
            walkSegments(-1);
            return;
        }
        chooseView(moved(m_view, -by));
        return;
    case Qt::Key_Right:
        if (event->modifiers().testFlag(Qt::ControlModifier)) {
            walkSegments(1);
            return;
        }
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
        fitLayer();
        return;
    case Qt::Key_End:
        fitStep();
        return;
    case Qt::Key_Escape:
        if (m_readOut->isPresented()) {
            m_walked.reset();
            m_readOut->clear();
            updateName();
            update();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace heteroscape::widgets
