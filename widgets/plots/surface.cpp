// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/surface.h"

#include <QPainter>

namespace heteroscape::widgets {

Surface::Surface(ColorRole fill, bool tile, QWidget* parent) : QWidget(parent), m_fill(fill), m_tile(tile) {
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Surface::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& theme = Theme::instance();
    if (!m_tile) {
        painter.fillRect(rect(), theme.color(m_fill));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(ColorRole::Border), 1));
    painter.setBrush(theme.color(m_fill));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

RoleLabel::RoleLabel(const QString& text, TextSize size, ColorRole role, QFont::Weight weight,
                     QWidget* parent)
    : QLabel(text, parent), m_role(role) {
    setFont(Theme::instance().font(size, weight));
    setTextFormat(Qt::PlainText);
    connect(&Theme::instance(), &Theme::changed, this, &RoleLabel::restyle);
    restyle();
}

void RoleLabel::setRole(ColorRole role) {
    m_role = role;
    restyle();
}

void RoleLabel::restyle() {
    auto shown = palette();
    shown.setColor(QPalette::WindowText, Theme::instance().color(m_role));
    setPalette(shown);
}

} // namespace heteroscape::widgets
