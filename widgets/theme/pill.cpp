// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/pill.h"

#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace heteroscape::widgets {

namespace {

constexpr int kPillHeight = 16, kPillMargin = 7;

} // namespace

int pillWidth(const QString& text) {
    const QFontMetrics metrics(Theme::instance().font(TextSize::Caption, QFont::Medium));
    return metrics.horizontalAdvance(text) + 2 * kPillMargin;
}

void drawPill(QPainter& painter, QPoint corner, const QString& text) {
    const auto& theme = Theme::instance();
    const QRect rect(corner, QSize(pillWidth(text), kPillHeight));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(ColorRole::WarningSoft));
    painter.drawRoundedRect(rect, kPillHeight / 2.0, kPillHeight / 2.0);
    painter.setPen(theme.color(ColorRole::Warning));
    painter.setFont(theme.font(TextSize::Caption, QFont::Medium));
    painter.drawText(rect, Qt::AlignCenter, text);
}

Pill::Pill(const QString& text, QWidget* parent) : QWidget(parent), m_text(text) {
    setFixedSize(pillWidth(text), kPillHeight);
    setAccessibleName(text);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Pill::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    drawPill(painter, {}, m_text);
}

} // namespace heteroscape::widgets
