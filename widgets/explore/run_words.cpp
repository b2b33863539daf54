// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/run_words.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

struct RunWordsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::RunWords)
};

QString digitsOf(double value, int digits) {
    return QString::fromStdString(engine::plainText(value, digits));
}

/// "12 s", "3 min", "2 h", "3 days", from one second on.
QString roughTime(double seconds) {
    if (seconds < 90)
        return RunWordsText::tr("%1 s").arg(digitsOf(std::round(seconds), 2));
    if (seconds < 90 * 60)
        return RunWordsText::tr("%1 min").arg(digitsOf(std::round(seconds / 60), 2));
    if (seconds < 48 * 3600)
        return RunWordsText::tr("%1 h").arg(digitsOf(std::round(seconds / 3600), 2));
    return RunWordsText::tr("%1 days").arg(digitsOf(std::round(seconds / 86400), 3));
}

} // namespace

QString countText(std::size_t count) {
    return QString::fromStdString(engine::tickText(static_cast<double>(count)));
}

QString timeWords(double seconds) {
    if (std::isnan(seconds))
        return {};
    return seconds < 1 ? RunWordsText::tr("under a second")
                       : RunWordsText::tr("about %1").arg(roughTime(seconds));
}

QString timeLeftWords(double seconds) {
    if (std::isnan(seconds))
        return {};
    return seconds < 1 ? RunWordsText::tr("under a second left")
                       : RunWordsText::tr("%1 left").arg(roughTime(seconds));
}

QString pointRateText(double perSecond) {
    return digitsOf(perSecond, 2);
}

QString fileSizeText(std::size_t bytes) {
    constexpr std::array units{"kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return digitsOf(value, value < 10 ? 2 : 3) + u' ' + QLatin1String(units[unit]);
}

} // namespace heteroscape::widgets
