// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lanes/lanes_painter.h"

#include "widgets/lanes/lanes_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kTickEvery = 110.0; ///< px
constexpr double kHotShare = 0.8;
constexpr double kBeforeEdge = 8.0; ///< px, at the right

struct LanesPainterText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::LanesPainter)
};

/// "88 %"; what rounds to nothing is still something.
QString busyText(double share) {
    const auto percent = std::lround(share * 100.0);
    return percent == 0 && share > 0.0 ? QStringLiteral("<\u202f1\u202f%")
                                       : QStringLiteral("%1\u202f%").arg(percent);
}

} // namespace

QRectF LanesPainter::labelBox(const QRectF& row, double indent) const {
    const double left = kLabelMargin + indent;
    return {left, row.top(), m_lanesLayout.labelWidth - left - 4.0, row.height()};
}

QRectF LanesPainter::busyBox(const QRectF& row) const {
    return {m_lanesLayout.lanes.right(), row.top(), m_lanesLayout.busyWidth - kBeforeEdge, row.height()};
}

void LanesPainter::label(const QRectF& row, const QString& text, double indent, bool bold) {
    m_painter.setFont(m_style.font(bold ? QFont::DemiBold : QFont::Normal));
    m_painter.setPen(m_style.role(bold ? ColorRole::Text : ColorRole::Text2));
    m_painter.drawText(labelBox(row, indent), Qt::AlignLeft | Qt::AlignVCenter, text);
    m_painter.setFont(m_style.font());
}

void LanesPainter::axis(double bottom) {
    const auto& lanes = m_lanesLayout.lanes;
    const auto& axis = m_lanesLayout.axis;
    const auto ticks = timeTicks(m_view, std::max(2, static_cast<int>(lanes.width() / kTickEvery)));
    const auto& metrics = m_painter.fontMetrics();
    label(axis, metrics.elidedText(ticks.title, Qt::ElideRight, static_cast<int>(labelBox(axis).width())));
    m_painter.setPen(m_style.role(ColorRole::Muted));
    m_painter.drawText(busyBox(axis), Qt::AlignRight | Qt::AlignVCenter, LanesPainterText::tr("Busy"));
    for (const auto& [seconds, text] : ticks.ticks) {
        const double x = m_lanesLayout.xOf(seconds, m_view);
        m_painter.setPen(QPen(m_style.role(ColorRole::Grid), m_style.lineWidth(1.0)));
        m_painter.drawLine(QPointF(x, lanes.top()), QPointF(x, bottom));
        QRectF box(0, axis.top(), metrics.horizontalAdvance(text) + 2, axis.height());
        box.moveCenter(QPointF(x, box.center().y()));
        // At the edges beside its line rather than out of the plot.
        box.moveLeft(std::max(lanes.left(), std::min(box.left(), lanes.right() - box.width())));
        m_painter.setPen(m_style.role(ColorRole::Muted));
        m_painter.drawText(box, Qt::AlignCenter, text);
    }
}

void LanesPainter::ruleBelow(const QRectF& row, ColorRole role, double width) {
    m_painter.setPen(QPen(m_style.role(role), m_style.lineWidth(width)));
    m_painter.drawLine(QPointF(kLabelMargin, row.bottom()), QPointF(busyBox(row).right(), row.bottom()));
}

void LanesPainter::busy(const QRectF& row, double share) {
    m_painter.setPen(m_style.role(share > kHotShare ? ColorRole::Hot : ColorRole::Text2));
    m_painter.drawText(busyBox(row), Qt::AlignRight | Qt::AlignVCenter, busyText(share));
}

void LanesPainter::window(TimeSpan whole) {
    const auto window = windowIn(m_lanesLayout.overview, m_view, whole);
    auto soft = m_style.role(ColorRole::Accent);
    soft.setAlphaF(0.16f);
    m_painter.fillRect(window, soft);
    m_painter.setPen(QPen(m_style.role(ColorRole::Accent), 1.5));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(window.adjusted(0.75, 0.75, -0.75, -0.75));
}

} // namespace heteroscape::widgets
