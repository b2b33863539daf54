// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/hatch.h"

#include "engine/plotting/hatch.h"

#include <QPainter>

namespace heteroscape::widgets {

void strokeHatch(QPainter& painter, const QRectF& area, const QPen& pen, double spacing) {
    painter.setPen(pen);
    for (const auto& s : engine::hatchLines({area.left(), area.top(), area.width(), area.height()}, spacing))
        painter.drawLine(QLineF(s.x1, s.y1, s.x2, s.y2));
}

} // namespace heteroscape::widgets
