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

} // namespace heteroscape::widgets
