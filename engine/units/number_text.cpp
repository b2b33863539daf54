// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/number_text.h"

#include "engine/base/error.h"

#include <array>
#include <cctype>
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

namespace {

struct Prefix {
    std::string_view name;
    double factor;
};
constexpr std::array<Prefix, 10> kPrefixes{{{"", 1.0},
                                            {"n", 1e-9},
                                            {"\u00b5", 1e-6},
                                            {"u", 1e-6},
                                            {"m", 1e-3},
                                            {"k", 1e3},
                                            {"M", 1e6},
                                            {"G", 1e9},
                                            {"T", 1e12},
                                            {"P", 1e15}}};

/// Other names of a base unit.
struct OtherName {
    std::string_view base, name;
    double factor;
};
constexpr std::array kOtherNames{
    OtherName{"s", "sec", 1.0},           OtherName{"s", "min", 60.0},
    OtherName{"s", "h", 3600.0},          OtherName{"tok", "tokens", 1.0},
    OtherName{"$", "USD", 1.0},           OtherName{"$/Mtok", "$/tok", 1e6},
    OtherName{"$/Mtok", "$/ktok", 1e3},   OtherName{"$/Mtok", "$/Gtok", 1e-3},
    OtherName{"$/Mtok", "USD/Mtok", 1.0}, OtherName{"", "%", 0.01},
    OtherName{"B", "KiB", 1024.0},        OtherName{"B", "MiB", 1048576.0},
    OtherName{"B", "GiB", 1073741824.0},  OtherName{"B", "TiB", 1099511627776.0},
};
constexpr std::array<std::string_view, 16> kBases{"s",     "W",     "$",   "$/Mtok", "tok",    "",
                                                  "%",     "B",     "B/s", "J",      "FLOP/s", "OP/s",
                                                  "tok/s", "req/s", "Hz",  "bit"};

struct BaseUnit {
    std::string_view base;
    double factor = 1.0; ///< of the unit in its base
};

BaseUnit baseOf(std::string_view unit) {
    for (const auto base : kBases)
        if (unit == base)
            return base == "%" ? BaseUnit{"", 0.01} : BaseUnit{base, 1.0};
    for (const auto& prefix : kPrefixes)
        for (const auto base : kBases)
            if (!base.empty() && unit.size() == prefix.name.size() + base.size() &&
                unit.starts_with(prefix.name) && unit.ends_with(base))
                return {base, prefix.factor};
    return {unit, 1.0};
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isSame(std::string_view one, std::string_view other, bool anyCase) {
    if (one.size() != other.size())
        return false;
    for (std::size_t i = 0; i < one.size(); ++i)
        if (one[i] != other[i] && !(anyCase && std::tolower(static_cast<unsigned char>(one[i])) ==
                                                   std::tolower(static_cast<unsigned char>(other[i]))))
            return false;
    return true;
}

/// Factors of `base` that a name stands for, each once.
std::string::size_type factorsOf(std::string_view name, std::string_view base, bool anyCase, double& found) {
    std::string::size_type count = 0;
    const auto take = [&](std::string_view known, double factor) {
        if (isSame(name, known, anyCase) && (count == 0 || factor != found)) {
            found = factor;
            ++count;
        }
    };
    for (const auto& prefix : kPrefixes) {
        if (!prefix.name.empty() || !base.empty())
            take(std::string(prefix.name) + std::string(base), prefix.factor);
        if (prefix.factor > 1.0) // "40k"
            take(prefix.name, prefix.factor);
        for (const auto& other : kOtherNames)
            if (other.base == base && (prefix.factor >= 1.0 || other.factor == 1.0) && other.name != "%" &&
                (prefix.name.empty() || other.factor == 1.0))
                take(std::string(prefix.name) + std::string(other.name), prefix.factor * other.factor);
    }
    for (const auto& other : kOtherNames)
        if (other.base == base)
            take(other.name, other.factor);
    return count;
}

/// The digits of a number as parseNumber() takes them; empty where its marks make no sense.
std::string plainDigits(std::string_view text, DecimalMark mark) {
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) { // blanks and apostrophes part thousands
        const bool thin = text.substr(i).starts_with("\u202f") || text.substr(i).starts_with("\u2019");
        const bool wide = text.substr(i).starts_with("\u00a0");
        if (thin || wide || text[i] == ' ' || text[i] == '\'') {
            i += thin ? 2 : wide ? 1 : 0;
            digits += ' ';
        } else {
            digits += text[i];
        }
    }
    const auto exponent = digits.find_first_of("eE");
    const std::string tail = exponent == std::string::npos ? std::string() : digits.substr(exponent);
    std::string_view body = std::string_view(digits).substr(0, exponent);
    const auto count = [&](char c) {
        std::size_t n = 0;
        for (const char one : body)
            n += one == c ? 1 : 0;
        return n;
    };
    const auto points = count('.'), commas = count(',');
    char decimal = 0;
    if (points > 0 && commas > 0) {
        decimal = body.rfind('.') > body.rfind(',') ? '.' : ',';
    } else if (points + commas == 1) {
        const char only = points > 0 ? '.' : ',';
        const auto at = body.find(only);
        auto whole = body.substr(0, at);
        if (!whole.empty() && !isDigit(whole.front())) // a sign
            whole.remove_prefix(1);
        const bool canGroup =
            body.size() - at == 4 && !whole.empty() && whole.size() <= 3 && whole.front() != '0';
        decimal = !canGroup || only == (mark == DecimalMark::Point ? '.' : ',') ? only : '\0';
    }
    std::string out;
    std::size_t since = 0; // digits since a mark of thousands
    bool grouped = false, after = false;
    for (const char c : body) {
        if (c == decimal && decimal != 0) {
            if (after || (grouped && since != 3))
                return {};
            after = true;
            out += '.';
        } else if (c == '.' || c == ',' || c == ' ') {
            if (after || out.empty() || !isDigit(out.back()) || (grouped ? since != 3 : since > 3))
                return {};
            grouped = true;
            since = 0;
        } else {
            out += c;
            since += isDigit(c) ? 1 : 0;
        }
    }
    return !after && grouped && since != 3 ? std::string() : out + tail;
}

std::string exampleOf(std::string_view base, std::string_view unit) {
    return base == "s"        ? "Write it as 500 ms or 1.5 s"
           : base == "W"      ? "Write it as 40 kW or 40000 W"
           : base == "$"      ? "Write it as $1M or 250000"
           : base == "$/Mtok" ? "Write it as $2.50/Mtok"
           : base == ""       ? "Write it as 20 % or 0.2, a count as 64 or 1k"
           : base == "tok"    ? "Write it as 4000 or 4k"
                              : "Write it as a number of " + std::string(unit);
}

} // namespace

TypedQuantity parseQuantity(std::string_view text, std::string_view unit, const std::string& where,
                            DecimalMark mark) {
    const auto wanted = baseOf(unit);
    const auto refuse = [&](const std::string& what) {
        throwInvalid(where, "\"" + std::string(text.substr(0, 80)) + "\" " + what,
                     exampleOf(wanted.base, unit));
    };
    auto left = trimmed(text);
    if (left.empty())
        refuse("is no number");
    const bool dollar = left.front() == '$';
    if (dollar)
        left = trimmed(left.substr(1));
    std::size_t end = 0; // of the number: digits and marks, blanks between digits, an exponent
    while (end < left.size()) {
        const char c = left[end];
        const auto after = left.substr(end + 1);
        const bool blank = c == ' ' || c == '\'';
        const std::size_t wide = left.substr(end).starts_with("\u00a0")   ? 2
                                 : left.substr(end).starts_with("\u202f") ? 3
                                 : left.substr(end).starts_with("\u2019") ? 3
                                                                          : 0;
        if (isDigit(c) || c == '.' || c == ',' || ((c == '-' || c == '+') && end == 0))
            ++end;
        else if (end > 0 && blank && !after.empty() && isDigit(after.front()))
            ++end;
        else if (end > 0 && wide > 0 && left.size() > end + wide && isDigit(left[end + wide]))
            end += wide;
        else if (end > 0 && (c == 'e' || c == 'E') && !after.empty() &&
                 (isDigit(after.front()) ||
                  ((after.front() == '-' || after.front() == '+') && after.size() > 1 && isDigit(after[1]))))
            end += 2;
        else
            break;
    }
    const auto number = parseNumber(plainDigits(left.substr(0, end), mark));
    if (!number)
        refuse("is no number");
    auto name = std::string(trimmed(left.substr(end)));
    while (name.starts_with("\u00a0") || name.starts_with("\u202f"))
        name.erase(0, name.front() == '\xc2' ? 2 : 3);
    if (dollar) { // "$1M", "$2/Mtok": as 1 M$, 2 $/Mtok
        const auto slash = name.find('/');
        const auto prefix = name.substr(0, slash);
        name = prefix + "$" + (slash == std::string::npos ? std::string() : name.substr(slash));
    }
    if (name.empty())
        return {*number, false};
    double factor = 0.0;
    auto found = factorsOf(name, wanted.base, false, factor);
    if (found == 0)
        found = factorsOf(name, wanted.base, true, factor);
    if (found != 1)
        refuse(found == 0 ? "is in no unit that is taken here" : "may be in several units");
    const double value = *number * factor / wanted.factor;
    if (!std::isfinite(value))
        refuse("is too large");
    return {cleaned(value), true};
}

} // namespace heteroscape::engine
