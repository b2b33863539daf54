// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/ticks.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heteroscape::engine {

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
