// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_text.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kClosest = 2e-3;     ///< of a layer
constexpr double kLayerMargin = 1.02; ///< so that the end of a layer can be seen

} // namespace

TimelineView::TimelineView(QWidget* parent) : LanesView(parent) {
    setAccessibleName(tr("Timeline"));
}

void TimelineView::setTracks(TimelineTracks tracks, bool keepView) {
    m_tracks = std::move(tracks);
    m_walked.reset();
    clearReadOut();
    relayOut();
    updateGeometry();
    if (m_tracks.empty())
        return;
    if (keepView && isViewChosen())
        keepSpan();
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

double TimelineView::closest() const {
    return kClosest * layerOf(m_tracks);
}

void TimelineView::fitLayer() {
    lookAt({0.0, kLayerMargin * layerOf(m_tracks)});
}

void TimelineView::fitStep() {
    setView(whole());
}

QRectF TimelineView::rectOf(std::size_t track, engine::Lane lane, std::size_t index) const {
    for (const auto& row : m_layout.rows)
        if (row.track == track && row.lane == lane) {
            const auto& what = m_tracks.at(track).segments(lane)[index].data;
            const double left = m_layout.xOf(what.start, view());
            return {left, row.plot.top(), m_layout.xOf(what.end, view()) - left, row.plot.height()};
        }
    return {};
}

QSize TimelineView::sizeHint() const {
    TimelineLayoutOptions options;
    options.width = 800;
    return {800, static_cast<int>(std::ceil(layOut(m_tracks, options).height))};
}

QSize TimelineView::minimumSizeHint() const {
    // Without the legend, unless there is a scroll bar anyway.
    TimelineLayoutOptions options;
    options.width = width();
    const double whole = layOut(m_tracks, options).height;
    options.height = 1;
    const double lanes = layOut(m_tracks, options).height;
    const bool scrolls = parentWidget() && parentWidget()->height() < lanes;
    return {360, static_cast<int>(std::ceil(scrolls ? whole : lanes))};
}

void TimelineView::paintLanes(QPainter& painter) {
    TimelinePainter(painter, m_tracks, m_layout, view(), {}).paint();
}

QRectF TimelineView::walkedRect() const {
    if (!m_walked)
        return {};
    const auto& row = m_layout.rows[m_walked->row];
    return rectOf(row.track, *row.lane, m_walked->segment)
        .adjusted(-1, 0, 1, 0)
        .intersected(row.plot.adjusted(-1, 0, 1, 0));
}

// What mouse and keyboard do
// -----------------------------------------------------------------------------------------------------------

void TimelineView::clickTwice(QPointF at) {
    const auto* row = m_layout.rowAt(at.y());
    if (!row)
        return;
    const auto& step = m_tracks[row->track].step();
    const double layer = std::floor(m_layout.secondsAt(at.x(), view()) / step.layerSeconds);
    if (layer >= 0.0 && layer < step.layers)
        setView({layer * step.layerSeconds, (layer + 1.0) * step.layerSeconds});
}

void TimelineView::hover(QPointF at) {
    const auto* row = m_layout.rowAt(at.y());
    if (!row || !row->lane || at.x() < m_layout.lanes.left() || at.x() >= m_layout.lanes.right()) {
        clearReadOut();
        return;
    }
    const auto& track = m_tracks[row->track];
    const auto found = track.at(*row->lane, m_layout.secondsAt(at.x(), view()));
    if (!found) {
        clearReadOut();
        return;
    }
    readOutSegment(*row, *found, at);
}

void TimelineView::readOutSegment(const TimelineLayout::Row& row, std::size_t index, QPointF at) {
    const auto& track = m_tracks[row.track];
    const auto& segment = track.segments(*row.lane)[index];
    present(readOutHeading(segment.data), readOutRows(track, *row.lane, index), at);
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
    double time = view().from; // from where one was, else from the left
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
    if (what.start < view().from || what.end > view().to) {
        const double middle = (what.start + what.end) / 2.0;
        const double length = std::max(view().length(), what.end - what.start);
        setView({middle - length / 2.0, middle + length / 2.0});
    }
    readOutSegment(row, m_walked->segment, rectOf(row.track, *row.lane, m_walked->segment).center());
    setAccessibleDescription(readOut().heading());
    update();
}

bool TimelineView::escape() {
    if (!readOut().isPresented())
        return false;
    m_walked.reset();
    clearReadOut();
    updateName();
    update();
    return true;
}

} // namespace heteroscape::widgets

#include "moc_timeline_view.cpp"
