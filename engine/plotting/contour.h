// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/ticks.h"

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

} // namespace heteroscape::engine
