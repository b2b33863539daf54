// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_text.h"
#include "widgets/requests/requests_view.h"

#include <QMouseEvent>

#include <algorithm>

// What mouse and keyboard do.

namespace heteroscape::widgets {

namespace {

constexpr double kReach = 2.0; ///< px from the cursor to what it means

} // namespace

void RequestsView::clickTwice(QPointF at) {
    if (const auto found = segmentAt(at))
        zoomTo(m_lanes->segment(*found));
}

std::optional<std::size_t> RequestsView::segmentAt(QPointF at) const {
    if (isEmpty() || !m_layout.lanes.contains(at))
        return {};
    const auto lane = m_layout.laneAt(at.y());
    if (!lane)
        return {};
    const double pixel = view().length() / m_layout.lanes.width();
    return m_lanes->at(*lane, m_layout.secondsAt(at.x(), view()), kReach * pixel);
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
        clearReadOut();
}

void RequestsView::readOutSegment(std::size_t index, QPointF at) {
    const auto& segment = m_lanes->segment(index);
    present(readOutHeading(*m_lanes, segment), readOutRows(*m_lanes, segment), at);
}

void RequestsView::walkLanes(int step) {
    const auto count = static_cast<int>(m_lanes->lanes().size());
    int lane = m_walked   ? static_cast<int>(m_lanes->segment(*m_walked).lane)
               : step > 0 ? static_cast<int>(m_layout.seen().first) - 1
                          : static_cast<int>(m_layout.seen().second);
    const double time = m_walked ? m_lanes->segment(*m_walked).start : view().from;
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
    const double length = view().length();
    const double seen = std::min(what.end, view().to) - std::max(what.start, view().from);
    if (seen < 0.5 * std::min(what.end - what.start, length)) { // at the same zoom
        const bool fits = what.end - what.start < length;
        const double from = fits ? (what.start + what.end - length) / 2.0 : what.start - 0.1 * length;
        setView({from, from + length});
    }
    scrollTo(what.lane);
    const auto rect = rectOf(*m_walked).intersected(m_layout.lanes);
    readOutSegment(*m_walked, rect.center());
    setAccessibleDescription(readOut().heading());
    update();
}

bool RequestsView::enter(bool zooms) {
    if (!m_walked)
        return false;
    const auto& segment = m_lanes->segment(*m_walked);
    if (zooms)
        zoomTo(segment);
    else
        markRequest(segment.request);
    return true;
}

bool RequestsView::escape() {
    if (!m_marked && !m_walked && !readOut().isPresented())
        return false;
    m_walked.reset();
    clearReadOut();
    markRequest({});
    updateName();
    update();
    return true;
}

} // namespace heteroscape::widgets
