// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>

class QPainter;

namespace heteroscape::widgets {

/// One line in a dark pill right below a scene point, at the same size whatever the zoom.
void paintHint(QPainter& painter, QPointF scenePoint, const QString& text);

} // namespace heteroscape::widgets
