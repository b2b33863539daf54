// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/view_marks.h"

#include "widgets/theme/painted_tip.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

ViewMarks::ViewMarks(QWidget* plot) : QWidget(plot) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void ViewMarks::setMark(std::optional<Mark> mark) {
    if (!mark && !m_mark)
        return;
    m_mark = mark;
    update();
}

void ViewMarks::setRubber(std::optional<QRectF> box) {
    if (box == m_rubber)
        return;
    m_rubber = box;
    update();
}

void ViewMarks::setCrosshair(std::optional<Crosshair> crosshair) {
    if (!crosshair && !m_crosshair)
        return;
    m_crosshair = std::move(crosshair);
    update();
}

void ViewMarks::drawPill(QPainter& painter, const QString& text, QPointF edge, bool below) const {
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Caption, QFont::DemiBold);
    const QSizeF size(QFontMetricsF(font).horizontalAdvance(text) + 10, 18);
    QRectF pill(below ? edge + QPointF(-size.width() / 2, 2) : edge + QPointF(-size.width() - 2, -9), size);
    pill.moveLeft(std::clamp(pill.left(), 2.0, std::max(2.0, width() - size.width() - 2)));
    paintTip(painter, pill, text, font);
}

void ViewMarks::paintEvent(QPaintEvent*) {
    if (!m_mark && !m_rubber && !m_crosshair)
        return;
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_crosshair) {
        const auto& [at, area, x, y] = *m_crosshair;
        painter.setPen(QPen(theme.color(ColorRole::Text2), 1));
        painter.drawLine(QLineF(at.x(), area.top(), at.x(), area.bottom()));
        painter.drawLine(QLineF(area.left(), at.y(), area.right(), at.y()));
        if (!x.isEmpty())
            drawPill(painter, x, {at.x(), area.bottom()}, true);
        if (!y.isEmpty())
            drawPill(painter, y, {area.left(), at.y()}, false);
    }
    if (m_mark) {
        painter.setBrush(Qt::NoBrush);
        const bool ring = m_mark->frame.isEmpty();
        const double radius = m_mark->diameter / 2;
        // A line of the background on either side keeps it seen on dense points.
        for (const auto& [role, width] : {std::pair{ColorRole::Surface, 3.5}, {ColorRole::Text, 1.5}}) {
            painter.setPen(QPen(theme.color(role), width));
            if (ring)
                painter.drawEllipse(m_mark->at, radius, radius);
            else
                painter.drawRect(m_mark->frame.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    if (m_rubber) {
        auto fill = theme.color(ColorRole::Accent);
        fill.setAlphaF(0.12F);
        painter.setPen(QPen(theme.color(ColorRole::Accent), 1, Qt::DashLine));
        painter.setBrush(fill);
        painter.drawRect(*m_rubber);
    }
}

} // namespace heteroscape::widgets
