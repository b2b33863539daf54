// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace heteroscape::widgets {

/// A unit of time that leaves few digits before and no zeros after the point.
struct DurationUnit {
    QString name;   ///< "ms"
    double seconds; ///< in one of it
};

/// µs below a millisecond, ms below a second, s below five minutes, min below five hours, else h.
DurationUnit durationUnit(double seconds);

/// "18.9 ms", "2.50 min", three digits with a thin space; an en dash for NaN.
QString durationText(double seconds);

} // namespace heteroscape::widgets
