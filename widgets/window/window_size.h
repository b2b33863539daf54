// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace heteroscape::widgets {

/// Of usual window managers, around a window: both sides together, above and below together.
inline constexpr QSize kWindowFrame(2, 32);

/// How small a window may be made on a screen with so much room: as wide as its bars want it where there is
/// room for that, never narrower than what a screen of 1024 px shows.
QSize leastWindowSize(QSize available);

/// No window is larger than its screen when it first appears, the frame around it counted, unless the screen
/// has no room for the least one.
QSize firstWindowSize(QSize wanted, QSize available);

/// Makes a window that was not shown yet as small as its screen wants it.
void fitToScreen(QWidget& window);

} // namespace heteroscape::widgets
