// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/number_text.h"

#include "engine/base/error.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

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

bool isSameInAnyCase(std::string_view one, std::string_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
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

struct NamedFactor {
    std::string_view name;
    double factor;
};
constexpr std::array kPrefixes{NamedFactor{"k", units::kilo},
                               NamedFactor{"M", units::mega},
                               NamedFactor{"G", units::giga},
                               NamedFactor{"T", units::tera},
                               NamedFactor{"P", 1e15},
                               NamedFactor{"m", units::milli},
                               NamedFactor{"u", units::micro},
                               NamedFactor{"\u00b5", units::micro},
                               NamedFactor{"\u03bc", units::micro},
                               NamedFactor{"n", units::nano},
                               NamedFactor{"p", 1e-12},
                               NamedFactor{"Ki", units::KiB},
                               NamedFactor{"Mi", units::MiB},
                               NamedFactor{"Gi", units::GiB},
                               NamedFactor{"Ti", 1024.0 * units::GiB}};

enum class Prefixes { None, Large, All };
struct Atom {
    std::string_view name;
    std::string_view of; ///< what it measures, as the unit that it is counted in; empty: a share
    double factor;
    Prefixes prefixes; ///< Large: it has no parts
};
constexpr std::array kAtoms{
    Atom{"s", "s", 1.0, Prefixes::All},
    Atom{"sec", "s", 1.0, Prefixes::None},
    Atom{"min", "s", 60.0, Prefixes::None},
    Atom{"h", "s", units::hour, Prefixes::None},
    Atom{"hour", "s", units::hour, Prefixes::None},
    Atom{"hours", "s", units::hour, Prefixes::None},
    Atom{"day", "s", 24.0 * units::hour, Prefixes::None},
    Atom{"days", "s", 24.0 * units::hour, Prefixes::None},
    Atom{"year", "s", units::year, Prefixes::None},
    Atom{"years", "s", units::year, Prefixes::None},
    Atom{"B", "B", 1.0, Prefixes::Large},
    Atom{"bit", "B", 0.125, Prefixes::All},
    Atom{"bits", "B", 0.125, Prefixes::None},
    Atom{"W", "W", 1.0, Prefixes::All},
    Atom{"J", "J", 1.0, Prefixes::All},
    Atom{"Wh", "J", units::hour, Prefixes::Large},
    Atom{"$", "$", 1.0, Prefixes::Large},
    Atom{"USD", "$", 1.0, Prefixes::Large},
    Atom{"tok", "tok", 1.0, Prefixes::Large},
    Atom{"token", "tok", 1.0, Prefixes::Large},
    Atom{"tokens", "tok", 1.0, Prefixes::Large},
    Atom{"FLOP", "FLOP", 1.0, Prefixes::Large},
    Atom{"OP", "OP", 1.0, Prefixes::Large},
    Atom{"req", "req", 1.0, Prefixes::Large},
    Atom{"Hz", "Hz", 1.0, Prefixes::Large},
    Atom{"mm\u00b2", "m2", units::mm2, Prefixes::None},
    Atom{"mm2", "m2", units::mm2, Prefixes::None},
    Atom{"m\u00b2", "m2", 1.0, Prefixes::None},
    Atom{"m2", "m2", 1.0, Prefixes::None},
    Atom{"%", "", 0.01, Prefixes::None},
    Atom{"1", "", 1.0, Prefixes::None},
};

/// A unit, in those that atoms are counted in: what stands over the slashes, and below them.
struct Dimension {
    double factor = 1.0;
    std::vector<std::string_view> over, below; ///< sorted
    bool isLike(const Dimension& other) const { return over == other.over && below == other.below; }
};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isSame(std::string_view one, std::string_view other, bool anyCase) {
    return anyCase ? isSameInAnyCase(one, other) : one == other;
}

/// What a name between slashes may stand for; with their capitals several.
std::vector<Atom> atomsNamed(std::string_view name, bool anyCase) {
    std::vector<Atom> found;
    for (const auto& atom : kAtoms) {
        if (isSame(name, atom.name, anyCase))
            found.push_back(atom);
        if (atom.prefixes == Prefixes::None)
            continue;
        for (const auto& prefix : kPrefixes)
            if (name.size() == prefix.name.size() + atom.name.size() &&
                isSame(name.substr(0, prefix.name.size()), prefix.name, anyCase) &&
                isSame(name.substr(prefix.name.size()), atom.name, anyCase) &&
                (prefix.factor > 1.0 || atom.prefixes == Prefixes::All))
                found.push_back({atom.name, atom.of, atom.factor * prefix.factor, atom.prefixes});
    }
    return found;
}

/// Every unit that a text may mean.
std::vector<Dimension> unitsNamed(std::string_view text, bool anyCase) {
    std::string written(text); // "k tokens"
    std::erase(written, ' ');
    // Rates are written so too: Gbps, GBps, TFLOPS, TOPS. Of b (bits) and B (bytes) the letter is what
    // counts.
    const auto last = written.find('/') == std::string::npos ? written.size() : written.find('/');
    const auto ends = [&](std::string_view with) {
        return last >= with.size() &&
               isSame(std::string_view(written).substr(last - with.size(), with.size()), with, anyCase);
    };
    if (last >= 3 && written.compare(last - 3, 3, "bps") == 0)
        written.replace(last - 3, 3, "bit/s");
    else if (last >= 3 && written.compare(last - 3, 3, "Bps") == 0)
        written.replace(last - 3, 3, "B/s");
    else if (ends("FLOPS") || ends("OPS"))
        written.replace(last - 1, 1, "/s");
    else if (last >= 2 && written[last - 1] == 'b') {
        auto bytes = written;
        written.replace(last - 1, 1, "bit");                                   // Gb
        if (std::islower(static_cast<unsigned char>(written[0])) && anyCase) { // gb: either
            bytes[last - 1] = 'B';
            auto either = unitsNamed(bytes, anyCase);
            auto bits = unitsNamed(written, anyCase);
            either.insert(either.end(), bits.begin(), bits.end());
            return either;
        }
    }
    std::vector<Dimension> all{{}};
    std::string_view rest(written);
    for (bool over = true;; over = false) {
        const auto slash = rest.find('/');
        const auto atoms = atomsNamed(trimmed(rest.substr(0, slash)), anyCase);
        std::vector<Dimension> longer;
        for (const auto& unit : all)
            for (const auto& atom : atoms) {
                auto one = unit;
                one.factor = over ? one.factor * atom.factor : one.factor / atom.factor;
                if (!atom.of.empty())
                    (over ? one.over : one.below).push_back(atom.of);
                longer.push_back(std::move(one));
            }
        all = std::move(longer);
        if (slash == std::string_view::npos || all.empty())
            break;
        rest.remove_prefix(slash + 1);
    }
    for (auto& unit : all) {
        std::sort(unit.over.begin(), unit.over.end());
        std::sort(unit.below.begin(), unit.below.end());
    }
    return all;
}

constexpr std::array<std::string_view, 6> kBlanks{" ", "'", "_", "\u00a0", "\u202f", "\u2019"};

/// Bytes of the blank that parts thousands and that a text begins with; 0: none.
std::size_t blankAt(std::string_view text) {
    for (const auto blank : kBlanks)
        if (text.starts_with(blank))
            return blank.size();
    return 0;
}

/// How a typed number may be read: each as parseNumber() takes it.
std::vector<std::string> readings(std::string_view text, Decimals decimals) {
    const auto exponent = std::min(text.find_first_of("eE"), text.size());
    const auto body = text.substr(0, exponent);
    const auto points = std::count(body.begin(), body.end(), '.');
    const auto commas = std::count(body.begin(), body.end(), ',');
    const auto read = [&](char decimal) { // 0: every mark parts thousands
        std::string plain;
        std::size_t since = 0; // digits since the last mark of thousands
        bool grouped = false, fraction = false;
        for (std::size_t i = 0; i < body.size();) {
            const auto blank = blankAt(body.substr(i));
            if (isDigit(body[i]) || (i == 0 && (body[i] == '-' || body[i] == '+'))) {
                since += isDigit(body[i]) ? 1 : 0;
                plain += body[i++];
                continue;
            }
            const bool isDecimal = decimal != 0 && body[i] == decimal;
            if (fraction || (grouped && since != 3) || (!isDecimal && (since == 0 || since > 3)))
                return std::string();
            if (isDecimal)
                plain += '.';
            fraction = isDecimal;
            grouped = grouped || !isDecimal;
            since = 0;
            i += std::max<std::size_t>(blank, 1);
        }
        return grouped && !fraction && since != 3 ? std::string()
                                                  : plain + std::string(text.substr(exponent));
    };
    std::vector<std::string> found;
    const auto take = [&](char decimal) {
        if (auto plain = read(decimal); !plain.empty())
            found.push_back(std::move(plain));
    };
    if (points + commas == 0) {
        take(0);
    } else if (points > 0 && commas > 0) {
        take(body.rfind('.') > body.rfind(',') ? '.' : ',');
    } else if (points + commas > 1) {
        take(0);
    } else {
        const char mark = points > 0 ? '.' : ',';
        const auto whole = body.substr(0, body.find(mark));
        const bool canGroup = exponent == text.size() && body.size() - whole.size() == 4 &&
                              whole.find_first_of("123456789") != std::string_view::npos && !read(0).empty();
        if (canGroup && decimals == Decimals::Comma)
            take(0);
        if (!canGroup || mark == '.' || decimals == Decimals::Comma)
            take(mark);
        else
            take(0);
    }
    return found;
}

/// Bytes of the number that a text begins with: a sign, digits with their marks and blanks, an exponent.
std::size_t numberSize(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size()) {
        const auto after = [&](std::size_t by) {
            return end + by < text.size() ? text.substr(end + by) : std::string_view();
        };
        const auto blank = blankAt(text.substr(end));
        const bool exponent = end > 0 && (text[end] == 'e' || text[end] == 'E');
        const bool isSign = !after(1).empty() && (after(1)[0] == '-' || after(1)[0] == '+');
        const auto digits = after(exponent && isSign ? 2 : std::max<std::size_t>(blank, 1));
        if (isDigit(text[end]) || text[end] == '.' || text[end] == ',' ||
            (end == 0 && (text[end] == '-' || text[end] == '+')))
            ++end;
        else if (end > 0 && (blank > 0 || exponent) && !digits.empty() && isDigit(digits[0]))
            end += exponent ? (isSign ? 2 : 1) : blank;
        else
            break;
    }
    return end;
}

} // namespace

double parseQuantity(std::string_view text, std::string_view unit, const std::string& where,
                     Decimals decimals, std::string remedy) {
    if (remedy.empty())
        remedy = unit.empty() ? "Write a number such as 64 or 0.5"
                              : "Write a number such as 20 " + std::string(unit);
    const auto typed = "\"" + std::string(trimmed(text.substr(0, 80))) + "\"";
    std::string plain(trimmed(text));
    for (std::size_t at; (at = plain.find("\u2212")) != std::string::npos;) // a true minus sign
        plain.replace(at, 3, "-");
    const bool dollar = plain.starts_with('$');
    const auto left = trimmed(std::string_view(plain).substr(dollar ? 1 : 0));
    const auto size = numberSize(left);
    const auto read = readings(left.substr(0, size), decimals);
    const auto number = read.empty() ? std::nullopt : parseNumber(read.front());
    if (!number)
        throwInvalid(where, typed + " is not a number", remedy);
    if (read.size() > 1)
        throwInvalid(where, typed + " may be " + read.front() + " or " + read.back(),
                     "Write " + read.front() + ", or " + read.back() + "0");
    auto name = left.substr(size);
    while (blankAt(name) > 0)
        name.remove_prefix(blankAt(name));
    if (dollar && unit.find('$') == std::string_view::npos)
        throwInvalid(where, typed + " is in $, not in " + (unit.empty() ? "a count" : std::string(unit)),
                     remedy);
    if (name.empty() || name == unit)
        return *number;
    const auto slash = std::min(name.find('/'), name.size());
    const auto whole = dollar ? std::string(name.substr(0, slash)) + '$' + std::string(name.substr(slash))
                              : std::string(name);
    // "$5" and "$5k" in $/Mtok count that unit; so does "40k" in tok/s.
    const auto wanted = unitsNamed(unit.empty() ? "1" : unit, false);
    const bool hasPrefix =
        wanted.empty() || std::none_of(kAtoms.begin(), kAtoms.end(), [&](const Atom& atom) {
            return unit.empty() || unit.substr(0, unit.find('/')) == atom.name;
        });
    if (!hasPrefix && slash == name.size())
        for (const auto& prefix : kPrefixes)
            if (prefix.factor > 1.0 && prefix.name.size() == 1 &&
                isSame(name, prefix.name, prefix.name == "k"))
                return cleaned(*number * prefix.factor);
    for (const bool anyCase : {false, true}) {
        std::vector<double> factors;
        for (const auto& one : unitsNamed(whole, anyCase))
            if (!wanted.empty() && one.isLike(wanted.front()) &&
                std::find(factors.begin(), factors.end(), one.factor) == factors.end())
                factors.push_back(one.factor);
        if (factors.size() > 1)
            throwInvalid(where, "the unit of " + typed + " may be read in two ways", remedy);
        if (factors.empty())
            continue;
        const double value = cleaned(*number * factors.front() / wanted.front().factor);
        if (!std::isfinite(value))
            throwInvalid(where, typed + " is too large", remedy);
        return value;
    }
    throwInvalid(where,
                 typed + " is not in " +
                     (unit.empty() ? "a unit of this number" : "a unit like " + std::string(unit)),
                 remedy);
}

} // namespace heteroscape::engine
