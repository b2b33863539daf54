// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QPixmap>

namespace heteroscape::widgets {

/// The grid of dots behind the cards.
class CanvasDots {
public:
    void paint(QPainter& painter, const QRectF& sceneRect);
    void forget() { m_tile = {}; } ///< the colours are others now

private:
    const QPixmap& tile(double pitch); ///< device px from dot to dot

    QPixmap m_tile;
    double m_pitch = 0.0; ///< for which the tile was made
};

} // namespace heteroscape::widgets
