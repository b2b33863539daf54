// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace heteroscape::engine {

namespace {

double roundStep(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (factor * power >= rough * (1 - 1e-9))
            return factor * power;
    return 10.0 * power;
}

} // namespace

std::vector<double> linearTicks(AxisRange range, int wanted) {
    const double span = range.upper - range.lower;
    std::vector<double> ticks;
    if (!(span > 0) || !std::isfinite(span) || wanted < 1)
        return ticks;
    const double step = roundStep(span / wanted);
    const double slack = step * 1e-9;
    for (double i = std::ceil((range.lower - slack) / step); i * step <= range.upper + slack; ++i)
        ticks.push_back(i == 0 ? 0.0 : i * step);
    return ticks;
}

std::vector<double> logTicks(AxisRange range, int base, int wanted) {
    std::vector<double> ticks;
    if (!(range.lower > 0) || !(range.upper > range.lower) || wanted < 1)
        return ticks;
    const double logOfBase = std::log(static_cast<double>(base));
    const int first = static_cast<int>(std::ceil(std::log(range.lower) / logOfBase - 1e-9));
    const int last = static_cast<int>(std::floor(std::log(range.upper) / logOfBase + 1e-9));
    const int count = last - first + 1;
    if (base == 10 && count < 3) {
        for (int power = first - 1; power <= last + 1; ++power)
            for (const double factor : {1.0, 2.0, 5.0}) {
                const double value = factor * std::pow(10.0, power);
                if (value >= range.lower * (1 - 1e-9) && value <= range.upper * (1 + 1e-9))
                    ticks.push_back(value);
            }
        if (count < 2 || ticks.size() <= static_cast<std::size_t>(wanted))
            return ticks;
        ticks.clear();
    }
    const int stride = std::max(1, (count + wanted - 1) / wanted);
    for (int power = first; power <= last; power += stride)
        ticks.push_back(std::pow(static_cast<double>(base), power));
    return ticks;
}

int logBase(const std::vector<double>& values) {
    if (values.empty())
        return 10;
    std::size_t powers = 0;
    for (const double value : values) {
        if (!(value > 0))
            return 10;
        int exponent = 0;
        if (std::frexp(value, &exponent) == 0.5)
            ++powers;
    }
    return powers * 4 >= values.size() * 3 ? 2 : 10;
}

std::string tickText(double value) {
    if (!std::isfinite(value))
        return {};
    if (value == 0)
        return "0";
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "%.12g", std::fabs(value));
    std::string text = buffer;
    if (text.find('e') == std::string::npos) {
        const auto point = text.find('.');
        for (auto at = point == std::string::npos ? text.size() : point; at > 3; at -= 3)
            text.insert(at - 3, ",");
    }
    return value < 0 ? "\u2212" + text : text;
}

AxisRange fittingRange(const std::vector<double>& values, bool log, bool fromZero) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values)
        if (std::isfinite(value) && (!log || value > 0)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high)
        return log ? AxisRange{1.0, 10.0} : AxisRange{0.0, 1.0};
    if (log) {
        const double room = low == high ? std::sqrt(2.0) : std::pow(high / low, 0.05);
        return {low / room, high * room};
    }
    const double spread = high > low ? high - low : std::max(std::fabs(high), 1.0);
    if (fromZero && low >= 0 && low <= 3 * spread)
        return {0.0, high > 0 ? high * 1.06 : 1.0};
    return {low - 0.05 * spread, high + 0.06 * spread};
}

} // namespace heteroscape::engine
