// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

#include <functional>

class QPainter;
class QRectF;

namespace heteroscape::widgets {

/// An icon that `paint` draws into the square that it is given, whenever it is shown: sharp at every size,
/// and nothing of it is kept.
QIcon paintedIcon(std::function<void(QPainter& painter, const QRectF& square)> paint);

} // namespace heteroscape::widgets
