// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lanes/lanes_text.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

struct LanesText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Lanes)
};

constexpr double kMinute = 60.0, kHour = 3600.0;
constexpr double kLongTick = 1e6; ///< from which numbers on an axis count from its left end

/// With so many decimals, thousands grouped.
QString fixed(double value, int decimals) {
    return QLocale(QLocale::English).toString(value, 'f', decimals);
}

} // namespace

QString fourDigits(double value) {
    return QString::fromStdString(engine::shortText(value, value >= 100.0 ? 4 : 3));
}

TimeUnit unitFor(double seconds) {
    if (seconds < 1e-3)
        return {engine::units::micro, QStringLiteral("\u00b5s")};
    if (seconds < 1.0)
        return {engine::units::milli, QStringLiteral("ms")};
    return {1.0, QStringLiteral("s")};
}

QString timeText(double seconds) {
    const auto unit = unitFor(seconds);
    return fourDigits(seconds / unit.seconds) + kThinSpace + unit.name;
}

TimeUnit axisUnit(double seconds) {
    if (seconds >= 2.0 * kHour)
        return {kHour, LanesText::tr("h")};
    if (seconds >= 3.0 * kMinute)
        return {kMinute, LanesText::tr("min")};
    return unitFor(seconds);
}

QString spanText(double seconds) {
    const auto unit = axisUnit(seconds);
    return unit.seconds > 1.0
               ? QString::fromStdString(engine::shortText(seconds / unit.seconds)) + kThinSpace + unit.name
               : timeText(seconds);
}

QString betweenText(double from, double to) {
    const auto unit = unitFor(to);
    const double length = std::max((to - from) / unit.seconds, 1e-12);
    const int decimals = std::clamp(3 - static_cast<int>(std::ceil(std::log10(length))), 0, 9);
    return LanesText::tr("%1 to %2")
               .arg(fixed(from / unit.seconds, decimals), fixed(to / unit.seconds, decimals)) +
           kThinSpace + unit.name;
}

TimeTicks timeTicks(TimeSpan view, int wanted) {
    const auto unit = axisUnit(view.length());
    TimeTicks made{LanesText::tr("Time (%1)").arg(unit.name), {}};
    double base = 0.0;
    if (view.to / unit.seconds >= kLongTick) { // from a round time at the left
        const double round = std::pow(10.0, std::ceil(std::log10(view.length())));
        base = std::floor(view.from / round) * round;
        const int decimals = std::clamp(-static_cast<int>(std::lround(std::log10(round))), 0, 9);
        made.title = LanesText::tr("%1 s + (%2)").arg(fixed(base, decimals), unit.name);
    }
    const engine::AxisRange range{(view.from - base) / unit.seconds, (view.to - base) / unit.seconds};
    for (const double tick : engine::linearTicks(range, wanted))
        made.ticks.emplace_back(base + tick * unit.seconds, QString::fromStdString(engine::tickText(tick)));
    return made;
}

} // namespace heteroscape::widgets
