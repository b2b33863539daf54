// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>

class QPainter;

namespace heteroscape::widgets {

/// Slanted lines over an area, `spacing` px apart, cut at its edge.
void strokeHatch(QPainter& painter, const QRectF& area, const QPen& pen, double spacing);

} // namespace heteroscape::widgets
