// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QLineF>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace heteroscape::widgets {

inline constexpr double kNoteArrowHead = 9; ///< px along the arrow

/// A note's text broken into the lines that it has at a width.
QStringList noteLines(const QString& text, const QFont& font, double width);

/// Where the way from the middle of a box to a point leaves the box; the point itself where it lies within.
QPointF edgeToward(const QRectF& box, QPointF to);

/// From its first point to its tip.
void paintNoteArrow(QPainter& painter, const QLineF& arrow, const QColor& color);

} // namespace heteroscape::widgets
