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

/// Whether two texts are the same but for capitals (ASCII).
bool isSameInAnyCase(std::string_view one, std::string_view other);

/// The same for a number that is kept as text: the one with the shortest text of those that read back as
/// `si`, times `scale`, to the last bit. Where none does (an SI value that was worked out), as toEdge().
double shownValue(double si, double scale);

/// Parses a whole text as a finite number; nothing for "", "nan", "inf", "1x", "0x10".
std::optional<double> parseNumber(std::string_view text);

/// The mark that people write before decimals; the other one then parts thousands. Of "1.5", "0,25",
/// "1,000,000" and "1.234,5" both read the same; they differ over one mark before exactly three digits.
/// "1,500" is 1500 with points, as programs write it; with commas both "1,500" and "1.500" may be meant
/// either way, and are refused.
enum class Decimals { Point, Comma };

/// A number as people type it, with or without a unit, in `unit` ("ms", "GB/s", "$/Mtok", "tok/s/W", "%",
/// ""): "50 ms" in s is 0.05; "1,5 TB/s", "40 kW", "$1M", "$2.50/Mtok", "1 000", "400 Gbps", "20 %", and
/// "40k" where `unit` has no prefix. Prefixes n to P and Ki to Ti; capitals as they come where only one unit
/// can be meant. A number without a unit is in `unit`. Throws Error (InvalidInput) naming `where`, what was
/// typed, and the remedy.
double parseQuantity(std::string_view text, std::string_view unit, const std::string& where,
                     Decimals decimals = Decimals::Point, std::string remedy = {});

} // namespace heteroscape::engine
