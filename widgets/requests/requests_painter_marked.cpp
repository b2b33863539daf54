// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_painter.h"

#include <QPainter>

#include <algorithm>

// The request that stands out.

namespace heteroscape::widgets {

namespace {

constexpr double kArrival = 2.5; ///< px, radius of the dot where a request comes
constexpr double kBelow = 5.0;   ///< px from the bottom of a lane, below the names of its segments

} // namespace

void RequestsPainter::marked() {
    path();
    // A decode that is stopped often has many segments: what falls on the same pixels is drawn once.
    double covered = 0.0;
    std::size_t lane = static_cast<std::size_t>(-1);
    for (const auto index : m_marked->segments) {
        const auto& what = m_lanes.segment(index);
        if (what.end < m_view.from || what.start > m_view.to)
            continue;
        const double right = m_layout.xOf(what.end, m_view);
        if (what.lane == lane && right < covered + 1.0)
            continue;
        lane = what.lane;
        covered = right;
        const auto row = m_layout.rowOf(what.lane);
        if (row.bottom() > m_layout.lanes.top() && row.top() < m_layout.lanes.bottom())
            segment(what, row, 1.0, true);
    }
}

void RequestsPainter::path() {
    if (m_marked->segments.empty())
        return;
    const auto at = [&](double seconds, std::size_t lane) {
        const auto& lanes = m_layout.lanes;
        return QPointF(std::clamp(m_layout.xOf(seconds, m_view), lanes.left() - 10.0, lanes.right() + 10.0),
                       m_layout.rowOf(lane).bottom() - kBelow);
    };
    const auto& first = m_lanes.segment(m_marked->segments.front());
    const auto ink = m_style.role(ColorRole::Text);
    m_painter.setPen(QPen(ink, 1.5));
    if (m_marked->arrival) {
        const auto from = at(*m_marked->arrival, first.lane);
        m_painter.drawLine(from, at(first.start, first.lane));
        m_painter.setBrush(ink);
        m_painter.drawEllipse(from, kArrival, kArrival);
    }
    m_painter.setPen(QPen(ink, 1.0, Qt::DotLine));
    const engine::ServingSegment* before = &first;
    double x = -1e9;
    for (const auto index : m_marked->segments) {
        const auto& next = m_lanes.segment(index);
        if (next.lane != before->lane) { // from lane to lane; no more than one line a pixel
            const auto to = at(next.start, next.lane);
            if (to.x() >= x + 1.0) {
                m_painter.drawLine(at(before->end, before->lane), to);
                x = to.x();
            }
        }
        before = &next;
    }
}

} // namespace heteroscape::widgets
