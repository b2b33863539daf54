// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_painter.h"

#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kLeastSpan = 2.0;    ///< px of a layer worth a bracket
constexpr double kLayerPixels = 14.0; ///< from which a layer is shown by itself

struct TimelinePainterText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::TimelinePainter)
};

} // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const TimelineTracks& tracks,
                                 const TimelineLayout& layout, TimeSpan view, ChartStyle style)
    : LanesPainter(painter, layout, view, style), m_tracks(tracks), m_layout(layout) {}

void TimelinePainter::paint() {
    m_painter.setFont(m_style.font());
    axis(m_layout.lanes.bottom());
    for (const auto& row : m_layout.rows)
        row.lane ? lane(row) : title(row);
    if (!m_layout.overview.isEmpty())
        overview();
    legend();
}

void TimelinePainter::place(const QRectF& row, double indent, const QString& text) {
    const auto box = labelBox(row, indent);
    if (m_painter.fontMetrics().horizontalAdvance(text) > box.width())
        return; // the read-out has it
    m_painter.setPen(m_style.role(ColorRole::Muted));
    m_painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void TimelinePainter::boundaries(const TimelineTrack& track, const QRectF& row) {
    const double layer = track.step().layerSeconds;
    if (layer / m_view.length() * row.width() < kLayerPixels)
        return;
    m_painter.setPen(QPen(m_style.role(ColorRole::BorderControl), m_style.lineWidth(1.0), Qt::DotLine));
    for (double i = std::max(1.0, std::ceil(m_view.from / layer));
         i <= track.step().layers && i * layer <= m_view.to; i += 1.0) {
        const double x = m_layout.xOf(i * layer, m_view);
        m_painter.drawLine(QPointF(x, row.top()), QPointF(x, row.bottom()));
    }
}

void TimelinePainter::title(const TimelineLayout::Row& row) {
    const auto& track = m_tracks[row.track];
    label(row.plot, track.name(), 0.0, true);
    layers(track, row.plot);
}

void TimelinePainter::layers(const TimelineTrack& track, const QRectF& row) {
    const auto& step = track.step();
    const auto span = [&](double from, double to, QString text, const QString& brief = {}) {
        const double left = std::max(m_layout.xOf(from, m_view), row.left());
        const double right = std::min(m_layout.xOf(to, m_view), row.right());
        if (right - left < kLeastSpan)
            return;
        m_painter.setPen(QPen(m_style.role(ColorRole::BorderControl), m_style.lineWidth(1.0)));
        const double middle = row.top() + row.height() / 2.0;
        const auto advance = [&] { return m_painter.fontMetrics().horizontalAdvance(text); };
        if (!brief.isEmpty() && right - left <= advance() + 16.0)
            text = brief;
        const double width = advance();
        const double gap = right - left > width + 16.0 ? width / 2.0 + 5.0 : 0.0;
        const double centre = (left + right) / 2.0;
        m_painter.drawLine(QPointF(left + 1, middle), QPointF(centre - gap, middle));
        m_painter.drawLine(QPointF(centre + gap, middle), QPointF(right - 1, middle));
        for (const double end : {from, to})
            if (const double x = m_layout.xOf(end, m_view); x >= row.left() && x <= row.right())
                m_painter.drawLine(QPointF(x, middle - 4.0), QPointF(x, row.bottom()));
        if (gap > 0.0) {
            m_painter.setPen(m_style.role(ColorRole::Text2));
            m_painter.drawText(QRectF(left, row.top(), right - left, row.height()), Qt::AlignCenter, text);
        }
    };
    const double layer = step.layerSeconds;
    const double end = std::min(step.layers * layer, step.seconds);
    const double pixels = layer / m_view.length() * row.width();
    if (pixels < kLayerPixels) {
        span(0.0, end, TimelinePainterText::tr("%1 layers, %2").arg(step.layers).arg(timeText(end)));
    } else {
        const double first = std::max(0.0, std::floor(m_view.from / layer));
        for (double i = first; i < step.layers && i * layer < m_view.to; i += 1.0) {
            auto text = TimelinePainterText::tr("Layer %1").arg(i + 1.0);
            if (pixels > 150.0)
                text = TimelinePainterText::tr("Layer %1: %2").arg(i + 1.0).arg(timeText(layer));
            span(i * layer, (i + 1.0) * layer, text, QString::number(i + 1.0));
        }
    }
    if (step.seconds > end * (1.0 + 1e-9))
        span(end, step.seconds, TimelinePainterText::tr("Head"));
}

void TimelinePainter::lane(const TimelineLayout::Row& row) {
    const auto& track = m_tracks[row.track];
    const auto title = laneTitle(track.step(), *row.lane);
    label(row.plot, title, kLaneIndent);
    place(row.plot, kLaneIndent + m_painter.fontMetrics().horizontalAdvance(title) + kPlaceGap,
          lanePlace(track.step(), *row.lane));
    boundaries(track, row.plot);
    ruleBelow(row.plot, ColorRole::Grid);
    busy(row.plot, track.busy(*row.lane));
    m_painter.save();
    m_painter.setClipRect(row.plot, Qt::IntersectClip);
    segments(track, *row.lane, row.plot.adjusted(0, 1, 0, -2), m_view, false);
    m_painter.restore();
}

void TimelinePainter::overview() {
    const auto& strip = m_layout.overview;
    const double end = endOf(m_tracks);
    label(strip, TimelinePainterText::tr("Step, %1").arg(timeText(end)));
    m_painter.fillRect(strip, m_style.role(ColorRole::Sunken));
    std::size_t lanes = 0;
    for (const auto& track : m_tracks)
        lanes += track.lanes().size();
    const double height = (strip.height() - 4.0) / static_cast<double>(std::max<std::size_t>(lanes, 1));
    double y = strip.top() + 2.0;
    for (const auto& track : m_tracks)
        for (const auto lane : track.lanes()) {
            segments(track, lane, QRectF(strip.left(), y, strip.width(), std::max(1.0, height - 1.0)),
                     {0.0, end}, true);
            y += height;
        }
    window({0.0, end});
}

void TimelinePainter::legend() {
    for (const auto& entry : m_layout.legend) {
        const QRectF box(entry.rect.left(), entry.rect.center().y() - 5.5, 16.0, 11.0);
        swatch(entry.key, box);
        m_painter.setPen(m_style.role(ColorRole::Text2));
        m_painter.drawText(entry.rect.adjusted(21.0, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.label);
    }
}

} // namespace heteroscape::widgets
