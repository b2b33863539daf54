// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/marker_path.h"

#include <QPolygonF>

#include <cmath>
#include <numbers>

namespace heteroscape::widgets {

QPainterPath markerPath(ChartMarker marker, QPointF c, double d) {
    QPainterPath path;
    const double r = d / 2;
    const auto polygon = [&](int corners, double radius, double inner) {
        QPolygonF points;
        for (int i = 0; i < corners; ++i) {
            const double angle = -std::numbers::pi / 2 + i * 2 * std::numbers::pi / corners;
            const double length = i % 2 ? inner : radius;
            points << c + QPointF(length * std::cos(angle), length * std::sin(angle));
        }
        path.addPolygon(points);
        path.closeSubpath();
    };
    switch (marker) {
    case ChartMarker::None:
        break;
    case ChartMarker::Circle:
        path.addEllipse(c, r, r);
        break;
    case ChartMarker::Square:
        path.addRect(QRectF(c.x() - 0.88 * r, c.y() - 0.88 * r, 1.76 * r, 1.76 * r));
        break;
    case ChartMarker::Diamond:
        polygon(4, 1.2 * r, 1.2 * r);
        break;
    case ChartMarker::Triangle:
        polygon(3, 1.2 * r, 1.2 * r);
        break;
    case ChartMarker::Star:
        polygon(10, r, 0.45 * r);
        break;
    }
    return path;
}

} // namespace heteroscape::widgets
