// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/drop_slot.h"

#include "widgets/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {
constexpr int kPadding = 8;
constexpr int kLeast = 30;
constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;
} // namespace

DropSlot::DropSlot(QWidget* parent) : QWidget(parent) {
    setFont(Theme::instance().font(TextSize::Caption, QFont::Medium));
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Fixed);
    setSizePolicy(policy);
    hide();
}

void DropSlot::offer(const QString& text) {
    take(text, false);
}

void DropSlot::refuse(const QString& text) {
    take(text, true);
}

void DropSlot::take(const QString& text, bool refused) {
    if (isVisible() && text == m_text && refused == m_refused)
        return;
    m_text = text;
    m_refused = refused;
    setAccessibleName(text);
    updateGeometry();
    update();
    show();
}

QSize DropSlot::sizeHint() const {
    return {160, heightForWidth(160)};
}

int DropSlot::heightForWidth(int width) const {
    const auto box = fontMetrics().boundingRect(QRect(0, 0, width - 2 * kPadding, 1000), kFlags, m_text);
    return std::max(kLeast, box.height() + 2 * kPadding);
}

void DropSlot::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(m_refused ? ColorRole::Error : ColorRole::Accent), 1.5,
                        m_refused ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(theme.color(m_refused ? ColorRole::ErrorSoft : ColorRole::AccentSoft));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    painter.setPen(theme.color(m_refused ? ColorRole::Error : ColorRole::Text));
    painter.setFont(font());
    painter.drawText(rect().adjusted(kPadding, 0, -kPadding, 0), kFlags, m_text);
}

} // namespace heteroscape::widgets
