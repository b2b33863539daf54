// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/painted_tip.h"

#include "widgets/theme/theme.h"

#include <QPainter>

namespace heteroscape::widgets {

void paintTip(QPainter& painter, const QRectF& box, const QString& text, const QFont& font) {
    const auto& theme = Theme::instance();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(ColorRole::Tooltip));
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(font);
    painter.setPen(theme.color(ColorRole::TooltipText));
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace heteroscape::widgets
