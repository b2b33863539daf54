// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/marker_path.h"

#include <QPolygonF>
#include <cmath>
#include <numbers>

namespace heteroscape::widgets {

namespace {

constexpr int kPlaces = 2; // within a pixel, each way; and sizes for each pixel

} // namespace

MarkerStamps::MarkerStamps(QImage& image, double ratio) : m_painter(&image), m_ratio(ratio) {}

void MarkerStamps::lay(ChartMarker marker, QPointF center, double diameter, const QPen& pen,
                       const QColor& fill) {
    const auto steps = [this](double px) { return static_cast<int>(std::lround(px * m_ratio * kPlaces)); };
    const int x = steps(center.x()), y = steps(center.y()), size = steps(diameter);
    const auto pixel = [](int step) { return (step - (step < 0 ? kPlaces - 1 : 0)) / kPlaces; };
    const int left = pixel(x), top = pixel(y), withinX = x - left * kPlaces, withinY = y - top * kPlaces;
    auto key = static_cast<std::uint64_t>(fill.rgba());
    for (const int part : {static_cast<int>(marker), pen.style() != Qt::NoPen ? 1 : 0, withinX, withinY})
        key = key << 4 | static_cast<std::uint64_t>(part);
    key = key << 16 | static_cast<std::uint64_t>(size);
    const int reach = size / kPlaces + 3 + steps(pen.widthF());
    auto& stamp = m_stamps[key];
    if (stamp.isNull())
        stamp = drawn(marker, QPointF(withinX, withinY) / kPlaces, static_cast<double>(size) / kPlaces, pen,
                      fill, reach);
    m_painter.drawImage(QPoint(left - reach, top - reach), stamp);
}

QImage MarkerStamps::drawn(ChartMarker marker, QPointF within, double diameter, const QPen& pen,
                           const QColor& fill, int reach) const {
    QImage image(2 * reach + 1, 2 * reach + 1, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(m_ratio, m_ratio);
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawPath(markerPath(marker, (QPointF(reach, reach) + within) / m_ratio, diameter / m_ratio));
    return image;
}

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
