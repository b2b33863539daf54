// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// The unit that people read a quantity in: what they see is the value in its own unit times `factor`.
struct ShownUnit {
    std::string name;
    double factor = 1.0;
};

/// By the largest value (in `unit`) that is shown beside others of its kind: times under a second in ms,
/// efficiencies without zeros to count. Any other unit is its own.
ShownUnit shownUnit(std::string_view unit, double largest);

/// The shortest text that reads back as exactly this double ("175.85"); "nan" and "inf" for those.
std::string exactText(double value);

/// A number for people: to `digits` significant digits, thousands grouped by commas, a true minus sign,
/// an en dash when the value is not finite. 21137.01 -> "21,100"; 0.0051 -> "0.0051".
std::string shortText(double value, int digits = 3);

/// shortText without zeros after the last digit that counts: 312, 24.5, 73,000. For counts and given
/// numbers.
std::string plainText(double value, int digits = 6);

/// Rounds to 15 digits, so that 0.1 + 2 x 0.1 is 0.3; and -0 is 0.
double cleaned(double value);

/// The value in an edge's unit: si / scale, rounded to 15 digits so that text, SI and text agree.
double toEdge(double si, double scale);

/// A text without the blanks (space, tab, carriage return) at its ends.
std::string_view trimmed(std::string_view text);

/// The same for a number that is kept as text: the one with the shortest text of those that read back as
/// `si`, times `scale`, to the last bit. Where none does (an SI value that was worked out), as toEdge().
double shownValue(double si, double scale);

/// What a single mark before exactly three digits is where people type numbers ("1,500"): the other one parts
/// thousands. Anywhere else both marks are read for what they can only be: "1.5", "0,5", "1,000,000",
/// "1.234,5".
enum class DecimalMark { Point, Comma };

struct TypedQuantity {
    double value = 0.0;   ///< in the unit that was asked for
    bool hasUnit = false; ///< one was typed; else it is in that unit
};

/// A number with its unit as people type it, in `unit` ("s", "ms", "W", "$", "$/Mtok", "tok", "GB/s", "%", ""):
/// "500ms", "1,5 s", "40 kW", "$1M", "1.2M$", "$2.50/Mtok", "4k", "20 %", "1 000". Prefixes n to P in front of
/// the unit's base; KiB to TiB; min and h for times; in small or capital letters where only one unit can be meant. Throws
/// Error (InvalidInput) naming `where`, what was typed, and how it can be written.
TypedQuantity parseQuantity(std::string_view text, std::string_view unit, const std::string& where,
                            DecimalMark mark = DecimalMark::Point);

/// Parses a whole text as a finite number; nothing for "", "nan", "inf", "1x", "0x10".
std::optional<double> parseNumber(std::string_view text);

} // namespace heteroscape::engine
