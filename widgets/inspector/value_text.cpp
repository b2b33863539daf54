// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/value_text.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"

#include <cmath>

namespace heteroscape::widgets {

namespace {

/// Before a unit: a thin space that does not break.
const QString kThin = QStringLiteral("\u202f");

QString withUnit(double value, const QString& unit) {
    return shortNumber(value) + kThin + unit;
}

} // namespace

QString shortNumber(double value) {
    return QString::fromStdString(engine::shortText(value));
}

QString secondsText(double seconds) {
    if (!(seconds < 1.0)) // NaN too
        return withUnit(seconds, QStringLiteral("s"));
    if (seconds >= 1e-3)
        return withUnit(seconds * 1e3, QStringLiteral("ms"));
    return withUnit(seconds * 1e6, QStringLiteral("\u00b5s"));
}

QString rateText(double bytesPerSecond) {
    const double gb = bytesPerSecond / 1e9;
    return gb > 0.0 && gb < 0.01 ? QStringLiteral("< 0.01") + kThin + QStringLiteral("GB/s")
                                 : withUnit(gb, QStringLiteral("GB/s"));
}

QString wattsText(double watts) {
    return watts >= 1000.0 ? withUnit(watts / 1e3, QStringLiteral("kW"))
                           : withUnit(watts, QStringLiteral("W"));
}

QString shareText(double share) {
    if (!std::isfinite(share))
        return shortNumber(share);
    const auto percent = kThin + QStringLiteral("%");
    if (share > 0.0 && share < 0.005)
        return QStringLiteral("< 1") + percent;
    return QString::number(std::lround(share * 100.0)) + percent;
}

} // namespace heteroscape::widgets
