// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_dots.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/theme/theme.h"

#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kManyDots = 100; ///< from here on dots come from a tile, where they are pixels
constexpr int kMostAcross = 24;   ///< dots in a row of a tile

void drawEachDot(QPainter& painter, const QRectF& rect) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(ColorRole::Dot));
    for (auto y = std::floor(rect.top() / kDotPitch) * kDotPitch; y <= rect.bottom(); y += kDotPitch)
        for (auto x = std::floor(rect.left() / kDotPitch) * kDotPitch; x <= rect.right(); x += kDotPitch)
            painter.drawEllipse(QPointF(x, y), 0.9, 0.9);
}

} // namespace

const QPixmap& CanvasDots::tile(double pitch) {
    if (!m_tile.isNull() && m_pitch == pitch)
        return m_tile;
    // As many dots as come out even in pixels.
    const auto off = [pitch](int count) {
        return std::abs(count * pitch - std::round(count * pitch)) / count;
    };
    int across = 1;
    for (int count = 2; count <= kMostAcross && off(across) > 0.0; ++count)
        if (off(count) < off(across))
            across = count;
    const auto side = std::round(across * pitch);
    m_pitch = pitch;
    m_tile = QPixmap(static_cast<int>(side), static_cast<int>(side));
    m_tile.fill(Theme::instance().color(ColorRole::Canvas));
    QPainter painter(&m_tile);
    const auto scale = side / (across * kDotPitch);
    painter.scale(scale, scale);
    drawEachDot(painter, {0, 0, across * kDotPitch, across * kDotPitch});
    return m_tile;
}

void CanvasDots::paint(QPainter& painter, const QRectF& rect) {
    const auto world = painter.worldTransform();
    const auto ratio = painter.device()->devicePixelRatioF();
    const bool many = rect.width() * rect.height() > kManyDots * kDotPitch * kDotPitch;
    const bool pixels = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!many || !pixels || world.type() > QTransform::TxScale || world.m11() != world.m22()) {
        drawEachDot(painter, rect);
        return;
    }
    auto dots = tile(kDotPitch * world.m11() * ratio);
    dots.setDevicePixelRatio(ratio);
    const auto seen = world.mapRect(rect);
    painter.setWorldTransform({});
    painter.drawTiledPixmap(seen, dots, seen.topLeft() - world.map(QPointF(0, 0)));
    painter.setWorldTransform(world);
}

} // namespace heteroscape::widgets
