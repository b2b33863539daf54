// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace heteroscape::widgets {

/// Words in a box as tool tips have it.
void paintTip(QPainter& painter, const QRectF& box, const QString& text, const QFont& font);

} // namespace heteroscape::widgets
