// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/heat.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

AxisRange heatRange(const std::vector<std::vector<double>>& rows, bool log) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const auto& row : rows)
        for (const double value : row)
            if (std::isfinite(value) && (!log || value > 0)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
    if (low > high)
        return log ? AxisRange{1.0, 10.0} : AxisRange{0.0, 1.0};
    if (low == high) // one value: the middle of a scale around it
        return log        ? AxisRange{low / 2, high * 2}
               : low == 0 ? AxisRange{-1.0, 1.0}
                          : AxisRange{low - std::fabs(low) / 2, high + std::fabs(high) / 2};
    return {low, high};
}

double heatShare(double value, AxisRange range, bool log) {
    if (!std::isfinite(value) || (log && !(value > 0)))
        return std::numeric_limits<double>::quiet_NaN();
    const double share = log ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                             : (value - range.lower) / (range.upper - range.lower);
    return std::clamp(share, 0.0, 1.0);
}

std::optional<Cell> bestCell(const std::vector<std::vector<double>>& rows, int better) {
    if (better == 0)
        return std::nullopt;
    const double sign = better < 0 ? -1.0 : 1.0;
    std::optional<Cell> best;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < rows[row].size(); ++column)
            if (const double value = sign * rows[row][column]; value > most && std::isfinite(value)) {
                most = value;
                best = Cell{row, column};
            }
    return best;
}

bool isBest(const std::vector<std::vector<double>>& rows, int better, Cell cell) {
    const double own = rows.at(cell.row).at(cell.column);
    if (better == 0 || !std::isfinite(own))
        return false;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < rows[row].size(); ++column) {
            const double value = rows[row][column];
            const bool before = row < cell.row || (row == cell.row && column < cell.column);
            if (std::isfinite(value) &&
                ((better < 0 ? value < own : value > own) || (before && value == own)))
                return false;
        }
    return true;
}

} // namespace heteroscape::engine
