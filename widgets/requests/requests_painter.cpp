// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_painter.h"

#include "widgets/plots/chart_export.h"
#include "widgets/requests/requests_text.h"
#include "widgets/theme/theme_icons.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

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

QByteArray renderRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                          std::size_t firstLane, ImageFormat format, const ImageSize& size) {
    constexpr ChartStyle kStyle{.exported = true};
    const auto count = lanes.lanes().size();
    RequestsLayoutOptions options;
    options.width = pictureWidth(size.widthMm);
    options.style = kStyle;
    if (count > kLanesInPicture) {
        options.only.first = std::min(firstLane, count - kLanesInPicture);
        options.only.second = options.only.first + kLanesInPicture;
    }
    const auto layout = layOut(lanes, options);
    const QSize logical(static_cast<int>(options.width),
                        static_cast<int>(std::ceil(layout.legend.bottom())) + 2);
    return renderPicture(
        format, size, QCoreApplication::translate("RequestsExport", "Requests"), logical,
        [&](QPainter& painter) { RequestsPainter(painter, lanes, layout, view, kStyle, marked).paint(); });
}

void exportRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                    std::size_t firstLane, const QString& path, const ImageSize& size) {
    writePicture(path, renderRequests(lanes, view, marked, firstLane, imageFormatOf(path), size));
}

namespace {

constexpr double kDot = 8.0;
constexpr double kGapFrom = 5.0; ///< px; from which a gap parts neighbours and hatching is drawn
constexpr double kNamePadding = 6.0;
constexpr double kFaded = 0.28;
constexpr double kBeside = 8.0; ///< px

struct RequestsPainterText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::RequestsPainter)
};

} // namespace

void paintPhase(QPainter& painter, const QRectF& rect, engine::ServingPhase phase, ChartStyle style,
                double strength) {
    const auto color = style.tinted(phaseColor(phase), 1.0 - strength);
    if (phase != engine::ServingPhase::KvTransfer || rect.width() < kGapFrom) {
        painter.fillRect(rect, color);
        return;
    }
    painter.fillRect(rect, style.tinted(phaseColor(phase), 0.75));
    strokeHatch(painter, rect, QPen(color, style.lineWidth(1.0)), 5.0);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

RequestsPainter::RequestsPainter(QPainter& painter, const RequestLanes& lanes, const RequestsLayout& layout,
                                 TimeSpan view, ChartStyle style, const MarkedRequest* marked)
    : LanesPainter(painter, layout, view, style), m_lanes(lanes), m_layout(layout), m_marked(marked) {}

double RequestsPainter::strength() const {
    return m_marked ? kFaded : 1.0;
}

void RequestsPainter::paint() {
    m_painter.setFont(m_style.font());
    axis(
        std::min(m_layout.lanes.bottom(), m_layout.lanes.top() + m_layout.contentHeight() - m_layout.scroll));
    const auto [first, last] = m_layout.seen();
    const auto& lanes = m_layout.lanes;
    m_painter.save();
    m_painter.setClipRect(QRectF(0, lanes.top(), lanes.right() + m_layout.busyWidth, lanes.height()),
                          Qt::IntersectClip);
    for (auto i = first; i < last; ++i)
        lane(i);
    m_painter.setClipRect(lanes, Qt::IntersectClip);
    for (auto i = first; i < last; ++i)
        segments(i, m_layout.rowOf(i));
    if (m_marked)
        marked();
    m_painter.restore();
    if (!m_layout.legend.isEmpty())
        paintPhaseLegend(m_painter, m_layout.legend, m_style, false);
}

void RequestsPainter::lane(std::size_t index) {
    const auto row = m_layout.rowOf(index);
    nameLane(index, row);
    const bool last = index + 1 == m_lanes.lanes().size() || m_lanes.lanes()[index + 1].opens; // of its node
    ruleBelow(row, last ? ColorRole::BorderControl : ColorRole::Grid, last ? 0.7 : 1.0);
    busy(row, m_lanes.lanes()[index].busy);
}

void RequestsPainter::nameLane(std::size_t index, const QRectF& row) {
    const auto& lane = m_lanes.lanes()[index];
    const auto& metrics = m_painter.fontMetrics();
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_style.color(ChartColor::kind(lane.kind)));
    m_painter.drawEllipse(QRectF(kLabelMargin, row.center().y() - kDot / 2.0, kDot, kDot));
    QRectF box(kLabelMargin + kDot + 6.0, row.top(), 0, row.height());
    box.setRight(m_layout.labelWidth - 4.0);
    const double place = lane.place.isEmpty() ? 0.0 : metrics.horizontalAdvance(lane.place) + 6.0;
    const auto title = metrics.elidedText(lane.title, Qt::ElideRight, static_cast<int>(box.width() - place));
    m_painter.setPen(m_style.role(ColorRole::Text2));
    m_painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, title);
    if (place <= 0.0)
        return;
    box.setLeft(box.left() + metrics.horizontalAdvance(title) + 6.0);
    m_painter.setPen(m_style.role(ColorRole::Muted));
    m_painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, lane.place);
}

void RequestsPainter::segments(std::size_t index, const QRectF& row) {
    const auto box = row.adjusted(0, 1, 0, -2);
    const double cell = m_view.length() / m_layout.lanes.width();
    // Cells that look alike are one rectangle, on whole pixels: no seams between them.
    double left = 0.0, right = 0.0;
    QColor color;
    const auto flush = [&] {
        if (right > left) {
            m_painter.fillRect(QRectF(left, box.top(), right - left, box.height()), color);
            ++m_rectangles;
        }
        left = right = 0.0;
    };
    for (const auto& mark : m_lanes.bins().marks(index, m_view.from, m_view.to, cell)) {
        if (!mark.merged) {
            flush();
            segment(m_lanes.segment(mark.first), row, strength(), false);
            continue;
        }
        const double from = std::floor(m_layout.xOf(mark.start, m_view) + 0.5);
        const double to = std::max(from + 1.0, std::floor(m_layout.xOf(mark.end, m_view) + 0.5));
        const auto shade = coverageColor(mark.share, m_style, strength());
        if (right > left && shade == color && from <= right) {
            right = to;
            continue;
        }
        flush();
        left = from;
        right = to;
        color = shade;
    }
    flush();
}

void RequestsPainter::segment(const engine::ServingSegment& what, const QRectF& row, double strength,
                              bool outlined) {
    // Cut off a little beside the picture: rectangles of a billion pixels are drawn wrong.
    const double left = std::max(m_layout.xOf(what.start, m_view), m_layout.lanes.left() - kBeside);
    const double right = std::min(m_layout.xOf(what.end, m_view), m_layout.lanes.right() + kBeside);
    const double width = right - left;
    const QRectF rect(left, row.top() + 1.0,
                      width >= kGapFrom ? width - 1.0 : std::max(width, outlined ? 2.0 : 1.0),
                      row.height() - 3.0);
    paintPhase(m_painter, rect, what.phase, m_style, strength);
    ++m_rectangles;
    if (outlined) {
        m_painter.setPen(QPen(m_style.role(ColorRole::Text), 1.0));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5));
    }
    const auto seen = rect.intersected(m_layout.lanes);
    if (seen.width() < 3.0 * kNamePadding)
        return;
    const auto name = segmentName(m_lanes, what);
    const double needed = m_painter.fontMetrics().horizontalAdvance(name) + kNamePadding;
    if (needed > seen.width())
        return;
    QColor fill = m_style.tinted(phaseColor(what.phase), 1.0 - strength);
    if (what.phase == engine::ServingPhase::KvTransfer) { // off the hatching
        fill = m_style.tinted(phaseColor(what.phase), 0.75);
        QRectF behind(0, 0, needed, rect.height() - 2.0);
        behind.moveCenter(seen.center());
        m_painter.fillRect(behind, fill);
    }
    m_painter.setPen(strength < 1.0 ? m_style.role(ColorRole::Muted) : inkOn(fill));
    m_painter.drawText(seen, Qt::AlignCenter, name);
}

void RequestsPainter::overview(const QImage& picture) {
    const auto& strip = m_layout.overview;
    m_painter.setFont(m_style.font());
    label(strip, RequestsPainterText::tr("All, %1").arg(spanText(m_lanes.whole().length())));
    m_painter.drawImage(strip, picture);
    const auto whole = m_lanes.whole();
    if (m_marked && !m_marked->segments.empty()) {
        const auto x = [&](double seconds) {
            return strip.left() + (seconds - whole.from) / whole.length() * strip.width();
        };
        double last = 0.0;
        for (const auto index : m_marked->segments)
            last = std::max(last, m_lanes.segment(index).end);
        const double first = m_marked->arrival.value_or(m_lanes.segment(m_marked->segments.front()).start);
        m_painter.fillRect(QRectF(x(first), strip.bottom() - 2.0, std::max(2.0, x(last) - x(first)), 2.0),
                           m_style.role(ColorRole::Text));
    }
    window(whole);
}

} // namespace heteroscape::widgets
