// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/hint_paint.h"

#include "widgets/theme/painted_tip.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

namespace heteroscape::widgets {

void paintHint(QPainter& painter, QPointF scenePoint, const QString& text) {
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Dense, QFont::Medium);
    const auto place = painter.worldTransform().map(scenePoint);
    painter.save();
    painter.resetTransform();
    QRectF box(0, 0, QFontMetricsF(font).horizontalAdvance(text) + 20, 26);
    box.moveTopLeft(place + QPointF(14, 16));
    // Kept inside the view.
    const QRectF view = painter.viewport();
    if (box.right() > view.right() - 4)
        box.moveRight(view.right() - 4);
    if (box.bottom() > view.bottom() - 4)
        box.moveBottom(place.y() - 12);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTip(painter, box, text, font);
    painter.restore();
}

} // namespace heteroscape::widgets
