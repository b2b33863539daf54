// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/read_out.h"

#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {
constexpr double kPadding = 10, kRow = 18, kDot = 14, kBetween = 18;
} // namespace

ReadOut::ReadOut(QWidget* plot) : QWidget(plot) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void ReadOut::present(const QString& heading, std::vector<Row> rows, QPointF at,
                      std::vector<std::pair<QPointF, QColor>> dots, bool hairline, double top, double bottom,
                      std::optional<QRectF> frame) {
    m_presented = true;
    m_heading = heading;
    m_rows = std::move(rows);
    m_at = at;
    m_dots = std::move(dots);
    m_hairline = hairline;
    m_top = top;
    m_bottom = bottom;
    m_frame = frame;
    update();
}

void ReadOut::clear() {
    if (!m_presented)
        return;
    m_presented = false;
    m_rows.clear();
    update();
}

QRectF ReadOut::boxRect() const {
    const auto& theme = Theme::instance();
    const QFontMetricsF bold(theme.font(TextSize::Dense, QFont::DemiBold)),
        normal(theme.font(TextSize::Dense));
    double inner = bold.horizontalAdvance(m_heading);
    for (const auto& row : m_rows)
        inner = std::max(inner, (row.color ? kDot : 0) + normal.horizontalAdvance(row.name) + kBetween +
                                    bold.horizontalAdvance(row.value));
    const QSizeF size(inner + 2 * kPadding,
                      kRow * (1.0 + static_cast<double>(m_rows.size())) + 2 * kPadding - 6);
    QRectF box(m_at + QPointF(14, 14), size);
    if (box.right() > width() - 4)
        box.moveRight(m_at.x() - 14);
    if (box.bottom() > height() - 4)
        box.moveBottom(height() - 4);
    box.moveLeft(std::max(4.0, box.left()));
    box.moveTop(std::max(4.0, box.top()));
    return box;
}

void ReadOut::paintEvent(QPaintEvent*) {
    if (!m_presented)
        return;
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_hairline) {
        painter.setPen(QPen(theme.color(ColorRole::Muted), 1));
        painter.drawLine(QLineF(m_at.x(), m_top, m_at.x(), m_bottom));
    }
    if (m_frame) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(ColorRole::Surface), 3));
        painter.drawRect(*m_frame);
        painter.setPen(QPen(theme.color(ColorRole::Text), 1.5));
        painter.drawRect(*m_frame);
    }
    painter.setPen(QPen(theme.color(ColorRole::Surface), 1.5));
    for (const auto& [point, color] : m_dots) {
        painter.setBrush(color);
        painter.drawEllipse(point, 4, 4);
    }
    const auto box = boxRect();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(ColorRole::Tooltip));
    painter.drawRoundedRect(box, 4, 4);

    const auto bold = theme.font(TextSize::Dense, QFont::DemiBold);
    const auto normal = theme.font(TextSize::Dense);
    QRectF line(box.left() + kPadding, box.top() + kPadding - 3, box.width() - 2 * kPadding, kRow);
    painter.setFont(bold);
    painter.setPen(theme.color(ColorRole::TooltipText));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_heading);
    for (const auto& row : m_rows) {
        line.translate(0, kRow);
        if (row.color) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(*row.color);
            painter.drawEllipse(QPointF(line.left() + 4, line.center().y()), 4, 4);
        }
        painter.setFont(normal);
        painter.setPen(theme.color(ColorRole::TooltipMuted));
        painter.drawText(line.adjusted(row.color ? kDot : 0, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         row.name);
        painter.setFont(bold);
        painter.setPen(theme.color(ColorRole::TooltipText));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

} // namespace heteroscape::widgets

#include "moc_read_out.cpp"
