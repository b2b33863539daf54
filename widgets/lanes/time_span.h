// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

namespace heteroscape::widgets {

/// A stretch of time, s.
struct TimeSpan {
    double from = 0.0;
    double to = 0.0;
    double length() const { return to - from; }
    bool operator==(const TimeSpan&) const = default;
};

// How far one turn of the wheel and one key go, in every timeline.
inline constexpr double kWheelZoom = 1.25;
inline constexpr double kKeyZoom = 1.5;
inline constexpr double kKeyMove = 0.15; ///< of the view

/// Brought into `whole` and to no less than `least` seconds.
TimeSpan clamped(TimeSpan view, TimeSpan whole, double least);
/// `factor` times as long (below 1: closer), clamped, with the time `at` at the same place.
TimeSpan zoomed(TimeSpan view, double factor, double at, TimeSpan whole, double least);
TimeSpan moved(TimeSpan view, double seconds);

/// Where the window of an overview stands in its strip: never so narrow that it cannot be seen or caught.
QRectF windowIn(const QRectF& strip, TimeSpan view, TimeSpan whole);

} // namespace heteroscape::widgets
