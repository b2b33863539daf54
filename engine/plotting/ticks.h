// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace heteroscape::engine {

/// The visible stretch of an axis.
struct AxisRange {
    double lower = 0.0;
    double upper = 1.0;
    bool operator==(const AxisRange&) const = default;
};

/// Round values (1, 2, 2.5 or 5 times a power of ten) inside the range, at most about `wanted` of them.
std::vector<double> linearTicks(AxisRange range, int wanted);

/// Powers of `base` (2 or 10) inside a range above zero, thinned to at most `wanted`; with fewer than two
/// powers of ten in it, or two and room for it, 1, 2 and 5 times them. Empty when the range is not above
/// zero.
std::vector<double> logTicks(AxisRange range, int base, int wanted);

/// 2 when the values are above zero and at least three quarters of them are whole powers of two, else 10.
int logBase(const std::vector<double>& values);

/// A tick's number: exact to 12 digits, thousands grouped by commas, a true minus sign. 3000 -> "3,000".
std::string tickText(double value);

/// The range that shows all finite values with a little room. Linear: starts at zero when the values lie
/// above it and reach within three times their spread of it. Log: whole steps of 5 % beyond the smallest and
/// largest value above zero. Never empty, never with a zero on a log axis.
AxisRange fittingRange(const std::vector<double>& values, bool log, bool fromZero);

} // namespace heteroscape::engine
