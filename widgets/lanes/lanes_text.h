// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/time_span.h"

#include <QString>

#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// Before a unit; does not break.
inline const QString kThinSpace = QStringLiteral("\u202f");

/// Three digits, a fourth from 100 on: 83.6, 128.5.
QString fourDigits(double value);

/// A unit of time for axes.
struct TimeUnit {
    double seconds = 1e-6;
    QString name; ///< "µs"
};

/// The unit in which a stretch of time is shown: µs below 2 ms, ms below 2 s.
TimeUnit unitFor(double seconds);
/// The unit of an axis that long: unitFor(), then minutes and hours.
TimeUnit axisUnit(double seconds);

/// "83.6 µs", "128.5 µs", "10.3 ms": three digits, a fourth from 100 on.
QString timeText(double seconds);
/// "12.9 s", "21.6 min", "3.61 h"
QString spanText(double seconds);
/// "12.949 to 13.125 s": as exact as the span between them needs.
QString betweenText(double from, double to);

/// The labels of a time axis over `view` with about so many ticks.
struct TimeTicks {
    QString title; ///< "Time (s)"; where numbers would be long: "3,600.25 s + (µs)"
    std::vector<std::pair<double, QString>> ticks; ///< s
};
TimeTicks timeTicks(TimeSpan view, int wanted);

} // namespace heteroscape::widgets
