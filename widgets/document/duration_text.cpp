// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/duration_text.h"

#include "engine/units/number_text.h"

#include <cmath>

namespace heteroscape::widgets {

DurationUnit durationUnit(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 18000.0)
        return {QStringLiteral("h"), 3600.0};
    if (size >= 300.0)
        return {QStringLiteral("min"), 60.0};
    if (size >= 1.0 || size == 0.0 || std::isnan(size))
        return {QStringLiteral("s"), 1.0};
    if (size >= 1e-3)
        return {QStringLiteral("ms"), 1e-3};
    return {QStringLiteral("\u00b5s"), 1e-6};
}

QString durationText(double seconds) {
    if (std::isnan(seconds))
        return QStringLiteral("\u2013");
    const auto unit = durationUnit(seconds);
    return QString::fromStdString(engine::shortText(seconds / unit.seconds)) + QStringLiteral("\u202f") +
           unit.name;
}

} // namespace heteroscape::widgets
