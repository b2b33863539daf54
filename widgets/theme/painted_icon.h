// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QIcon>
#include <QPen>
#include <QRectF>
#include <QString>
#include <functional>

class QPainter;

namespace heteroscape::widgets {

/// Words in a box as tool tips have it.
void paintTip(QPainter& painter, const QRectF& box, const QString& text, const QFont& font);

/// Slanted lines over an area, `spacing` px apart, cut at its edge.
void strokeHatch(QPainter& painter, const QRectF& area, const QPen& pen, double spacing);

/// An icon that `paint` draws into the square that it is given, whenever it is shown: sharp at every size,
/// and nothing of it is kept.
QIcon paintedIcon(std::function<void(QPainter& painter, const QRectF& square)> paint);

} // namespace heteroscape::widgets
