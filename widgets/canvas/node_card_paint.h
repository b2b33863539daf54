// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_summary.h"

#include <QRectF>

class QPainter;

namespace heteroscape::widgets {

/// How a card is shown just now.
struct CardLook {
    double zoom = 1.0;             ///< of the view: few details when small, icons sharp at any size
    double devicePixelRatio = 1.0; ///< of the screen
};

/// Paints a card with its top left corner at (0, 0), as style.md "Node card": stacked outlines, header,
/// quantities, bar, pill. Ports are not part of it.
void paintNodeCard(QPainter& painter, const NodeCard& card, const CardLook& look);

/// How high a card is: 127 unless it shows more than every card does, see card_parts.h.
double cardHeight(const NodeCard& card);

/// The mark of what limits the system, on a card or a link; around `middle`.
QRectF bottleneckPill(QPointF middle);
void paintBottleneckPill(QPainter& painter, const QRectF& pill, const CardLook& look);

/// Where the "x7" stands, in the card's coordinates; also the target for editing the count.
QRectF countBadgeRect(int count);

/// All that paintNodeCard can touch.
QRectF cardBounds(double height);

/// An icon at a place, rendered for the zoom and the screen.
void paintIcon(QPainter& painter, const QString& name, const QColor& color, QPointF topLeft, int size,
               const CardLook& look);

} // namespace heteroscape::widgets
