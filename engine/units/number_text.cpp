// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace heteroscape::engine {

namespace {

struct OtherUnit {
    std::string_view of;
    double below; ///< taken for values below this, in `of`
    std::string_view name;
    double factor;
};

// The first that holds.
constexpr std::array kOtherUnits{
    OtherUnit{"s", 1.0, "ms", 1e3},
    OtherUnit{"tok/s/$", 1e-5, "tok/s/M$", 1e6},
    OtherUnit{"tok/s/$", HUGE_VAL, "tok/s/k$", 1e3},
    OtherUnit{"tok/s/W", 0.01, "tok/s/kW", 1e3},
    OtherUnit{"tok/s/mm\u00b2", 0.01, "tok/s/m\u00b2", 1e6},
};

} // namespace

ShownUnit shownUnit(std::string_view unit, double largest) {
    for (const auto& other : kOtherUnits)
        if (unit == other.of && std::fabs(largest) < other.below)
            return {std::string(other.name), other.factor};
    return {std::string(unit), 1.0};
}

std::string exactText(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[40];
    const bool whole = value == std::floor(value) && std::fabs(value) < 1e15; // 100000, not 1e+05
    const auto end = whole
                         ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr
                         : std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return std::string(buffer, end);
}

std::string shortText(double value, int digits) {
    if (!std::isfinite(value))
        return "\u2013";
    if (value == 0.0)
        return "0";
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
    const double rounded = std::strtod(buffer, nullptr);
    const double magnitude = std::fabs(rounded);
    if (magnitude < 1e-4 || magnitude >= 1e15)
        return buffer;
    const int exponent = static_cast<int>(std::floor(std::log10(magnitude) + 1e-12));
    const int decimals = std::max(0, digits - 1 - exponent);
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, magnitude);
    std::string text = buffer;
    const auto point = text.find('.');
    const auto whole = point == std::string::npos ? text.size() : point;
    for (auto at = whole; at > 3; at -= 3)
        text.insert(at - 3, ",");
    return rounded < 0 ? "\u2212" + text : text;
}

std::string plainText(double value, int digits) {
    auto text = shortText(value, digits);
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

double cleaned(double value) {
    if (!std::isfinite(value))
        return value;
    char buffer[40]; // both ways round to the nearest, as printf and strtod, and much sooner
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 14).ptr;
    std::from_chars(buffer, end, value);
    return value + 0.0;
}

double toEdge(double si, double scale) {
    return !std::isfinite(si) || scale == 1.0 ? si : cleaned(si / scale);
}

double shownValue(double si, double scale) {
    const double near = toEdge(si, scale);
    if (!std::isfinite(si) || near * scale == si)
        return near;
    double best = near;
    std::size_t shortest = 100;
    // The quotient was rounded, as the product was: its neighbours count too.
    double other = std::nextafter(std::nextafter(si / scale, -HUGE_VAL), -HUGE_VAL);
    for (int i = 0; i < 5; ++i, other = std::nextafter(other, HUGE_VAL))
        if (const auto length = exactText(other).size(); other * scale == si && length < shortest) {
            best = other;
            shortest = length;
        }
    return best;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const auto first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<double> parseNumber(std::string_view text) {
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value + 0.0; // no -0
}

} // namespace heteroscape::engine
