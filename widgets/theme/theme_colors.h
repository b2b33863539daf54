// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QString>

namespace heteroscape::widgets {

// The only place with literal colours: every role in both themes.

QColor roleColor(ColorRole role, bool dark);
QColor seriesColor(int index, bool dark); ///< S1..S8 for 0..7, repeating
QColor kindColor(engine::DeviceKind kind, bool dark);
QColor kindTintColor(engine::DeviceKind kind, bool dark);
QColor heatColor(double share, bool dark); ///< 0..1, low to high; high is dark on light and light on dark

/// The style sheet template with every @role-name@ replaced ("@border-control@" -> "#828d9b").
/// A name that is no role stays as it is, so that a test can find it.
QString filledStyleSheet(QString text, bool dark);

} // namespace heteroscape::widgets
