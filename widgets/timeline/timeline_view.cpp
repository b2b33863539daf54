// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kWheelStep = 1.25;
constexpr double kKeyStep = 1.5;
constexpr double kKeyMove = 0.15;     ///< of the view
constexpr double kClosest = 2e-3;     ///< of a layer
constexpr double kLayerMargin = 1.02; ///< so that the end of a layer can be seen
constexpr double kGrabMargin = 4.0;   ///< px around the overview's window

} // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        relayOut();
        m_readOut->clear();
        update();
    });
}

void TimelineView::setTracks(TimelineTracks tracks, bool keepView) {
    m_tracks = std::move(tracks);
    m_readOut->clear();
    relayOut();
    updateGeometry();
    if (m_tracks.empty())
        return;
    if (keepView && m_chosen)
        apply(m_view);
    else
        fitLayer();
    updateName();
}

void TimelineView::updateName() {
    setAccessibleDescription(headline(m_tracks));
}

void TimelineView::relayOut() {
    TimelineLayoutOptions options;
    options.width = width();
    options.height = height();
    m_layout = layOut(m_tracks, options);
}

void TimelineView::apply(TimeSpan view) {
    const double end = endOf(m_tracks);
    const double length = std::clamp(view.length(), std::min(end, kClosest * layerOf(m_tracks)), end);
    const double from = std::clamp(view.from, 0.0, end - length);
    m_view = {from, from + length};
    update();
    emit viewChanged();
}

void TimelineView::setView(TimeSpan view) {
    chooseView(view);
}

void TimelineView::chooseView(TimeSpan view) {
    if (m_tracks.empty())
        return;
    m_chosen = true;
    m_readOut->clear();
    apply(view);
}

void TimelineView::fitLayer() {
    if (m_tracks.empty())
        return;
    m_readOut->clear();
    m_chosen = false; // another design opens at its own first layer
    apply({0.0, kLayerMargin * layerOf(m_tracks)});
}

void TimelineView::fitStep() {
    chooseView({0.0, endOf(m_tracks)});
}

void TimelineView::zoom(double factor, double atSeconds) {
    const double end = endOf(m_tracks);
    const double length =
        std::clamp(m_view.length() * factor, std::min(end, kClosest * layerOf(m_tracks)), end);
    const double share = (atSeconds - m_view.from) / m_view.length();
    chooseView({atSeconds - share * length, atSeconds + (1.0 - share) * length});
}

QRectF TimelineView::rectOf(std::size_t track, engine::Lane lane, std::size_t index) const {
    for (const auto& row : m_layout.rows)
        if (row.track == track && row.lane == lane) {
            const auto& what = m_tracks.at(track).segments(lane)[index].data;
            const double left = m_layout.xOf(what.start, m_view);
            return {left, row.plot.top(), m_layout.xOf(what.end, m_view) - left, row.plot.height()};
        }
    return {};
}

QSize TimelineView::sizeHint() const {
    TimelineLayoutOptions options;
    options.width = 800;
    return {800, static_cast<int>(std::ceil(layOut(m_tracks, options).height))};
}

QSize TimelineView::minimumSizeHint() const {
    TimelineLayoutOptions options; // without the legend
    options.width = 800;
    options.height = 1;
    return {360, static_cast<int>(std::ceil(layOut(m_tracks, options).height))};
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = Theme::instance();
    painter.fillRect(rect(), theme.color(ColorRole::Surface));
    if (!m_tracks.empty())
        TimelinePainter(painter, m_tracks, m_layout, m_view, {}).paint();
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_readOut->resize(size());
    m_readOut->clear();
    relayOut();
}

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
        chooseView({m_view.from + by, m_view.to + by});
    } else if (turn.y() != 0) {
        const double at = std::clamp(event->position().x(), m_layout.lanes.left(), m_layout.lanes.right());
        zoom(std::pow(kWheelStep, -turn.y() / 120.0), m_layout.secondsAt(at, m_view));
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
    const double moved = event->position().x() - m_dragFrom.x();
    switch (m_drag) {
    case Drag::None:
        hover(event->position());
        return;
    case Drag::Pan: {
        const double by = -moved / m_layout.lanes.width() * m_dragView.length();
        chooseView({m_dragView.from + by, m_dragView.to + by});
        return;
    }
    case Drag::Window: {
        const double by = moved / m_layout.overview.width() * endOf(m_tracks);
        chooseView({m_dragView.from + by, m_dragView.to + by});
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
    const auto& segment = track.segments(*row->lane)[*found];
    m_readOut->present(readOutHeading(segment.data), readOutRows(track, *row->lane, *found), at, {}, true,
                       m_layout.lanes.top(), m_layout.lanes.bottom());
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = (m_view.from + m_view.to) / 2.0;
    const double by = kKeyMove * m_view.length();
    switch (m_tracks.empty() ? Qt::Key_unknown : event->key()) {
    case Qt::Key_Left:
        chooseView({m_view.from - by, m_view.to - by});
        return;
    case Qt::Key_Right:
        chooseView({m_view.from + by, m_view.to + by});
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1.0 / kKeyStep, middle);
        return;
    case Qt::Key_Minus:
        zoom(kKeyStep, middle);
        return;
    case Qt::Key_Home:
        fitLayer();
        return;
    case Qt::Key_End:
        fitStep();
        return;
    case Qt::Key_Escape:
        if (m_readOut->isPresented()) {
            m_readOut->clear();
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
