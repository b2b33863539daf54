// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/ticks.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heteroscape::engine {

/// Lines of equal value over a table of values, in units of its cells: the value of column c and row r stands
/// at x = c, y = r.
struct ContourPoint {
    double x = 0.0;
    double y = 0.0;
    bool operator==(const ContourPoint&) const = default;
};
struct ContourLine {
    double level = 0.0;
    std::vector<ContourPoint> points; ///< closed when the last is the first
};

/// Marching squares with straight interpolation between neighbours (of logarithms when `log`). A square with
/// a corner that is not finite has no line, so a line ends at a gap. A value on a level counts as above it. A
/// saddle is parted by the mean of its corners. Lines by level, of each level
/// first those with two ends, then the closed ones, each by where they begin.
/// Source: Lorensen and Cline, "Marching Cubes", 1987, in two dimensions.
std::vector<ContourLine> contourLines(const std::vector<std::vector<double>>& rows,
                                      const std::vector<double>& levels, bool log = false);

/// Round levels inside a range, about `wanted` of them.
std::vector<double> contourLevels(AxisRange range, bool log, int wanted = 6);

/// A cell of a table of values.
struct Cell {
    std::size_t row = 0;
    std::size_t column = 0;
    bool operator==(const Cell&) const = default;
};

/// The range of a colour scale: from the smallest to the largest drawable value. Never empty, never with a
/// zero on a log scale.
AxisRange heatRange(const std::vector<std::vector<double>>& rows, bool log);

/// Where a value lies in a colour scale, 0..1; values outside take the end's colour. NaN for a value that
/// cannot be drawn.
double heatShare(double value, AxisRange range, bool log);

/// The best finite cell: the largest for `better` > 0, the smallest for < 0, the first of equals; nothing for
/// 0 or when no cell is finite.
std::optional<Cell> bestCell(const std::vector<std::vector<double>>& rows, int better);

/// Whether that is `cell`: known at the first better one, without looking through all.
bool isBest(const std::vector<std::vector<double>>& rows, int better, Cell cell);

} // namespace heteroscape::engine
