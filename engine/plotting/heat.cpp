// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/heat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace heteroscape::engine {

namespace {

/// An edge of the grid between a value and its right (0) or upper (1) neighbour.
struct Edge {
    std::size_t row = 0, column = 0;
    int upwards = 0;
    auto operator<=>(const Edge&) const = default;
};

class Tracer {
public:
    Tracer(const std::vector<std::vector<double>>& rows, double level, bool log)
        : m_rows(rows), m_level(log ? std::log(level) : level), m_log(log) {
        for (std::size_t r = 0; r + 1 < rows.size(); ++r)
            for (std::size_t c = 0; c + 1 < rows[r].size() && c + 1 < rows[r + 1].size(); ++c)
                square(r, c);
    }

    std::vector<ContourLine> lines(double level) {
        std::vector<ContourLine> out;
        // Open lines from their ends first, then the closed ones.
        for (const bool openOnly : {true, false})
            for (const auto& [edge, neighbours] : m_neighbours)
                if (!m_used[edge] && (!openOnly || neighbours.size() == 1))
                    out.push_back({level, follow(edge)});
        return out;
    }

private:
    const std::vector<std::vector<double>>& m_rows;
    double m_level;
    bool m_log;
    std::map<Edge, std::vector<Edge>> m_neighbours; ///< crossed edges, and those crossed next to them
    std::map<Edge, bool> m_used;

    double value(std::size_t r, std::size_t c) const { return m_log ? std::log(m_rows[r][c]) : m_rows[r][c]; }

    void join(const Edge& a, const Edge& b) {
        m_neighbours[a].push_back(b);
        m_neighbours[b].push_back(a);
    }

    void square(std::size_t r, std::size_t c) {
        const std::array corners{value(r, c), value(r, c + 1), value(r + 1, c + 1), value(r + 1, c)};
        if (!std::all_of(corners.begin(), corners.end(), [](double v) { return std::isfinite(v); }))
            return;
        const std::array edges{Edge{r, c, 0}, Edge{r, c + 1, 1}, Edge{r + 1, c, 0}, Edge{r, c, 1}};
        const auto above = [&](std::size_t corner) { return corners[corner % 4] >= m_level; };
        std::vector<std::size_t> crossed;
        for (std::size_t i = 0; i < 4; ++i)
            if (above(i) != above(i + 1))
                crossed.push_back(i);
        if (crossed.size() == 2)
            join(edges[crossed[0]], edges[crossed[1]]);
        if (crossed.size() < 4)
            return;
        const double mean = (corners[0] + corners[1] + corners[2] + corners[3]) / 4;
        // The line goes round each corner that differs from the middle.
        const std::size_t first = (mean >= m_level) == above(0) ? 0 : 3;
        join(edges[first], edges[(first + 1) % 4]);
        join(edges[(first + 2) % 4], edges[(first + 3) % 4]);
    }

    ContourPoint pointOn(const Edge& edge) const {
        const double a = value(edge.row, edge.column);
        const double b = edge.upwards ? value(edge.row + 1, edge.column) : value(edge.row, edge.column + 1);
        const double share = (m_level - a) / (b - a);
        const auto x = static_cast<double>(edge.column), y = static_cast<double>(edge.row);
        return edge.upwards ? ContourPoint{x, y + share} : ContourPoint{x + share, y};
    }

    std::vector<ContourPoint> follow(const Edge& start) {
        std::vector<ContourPoint> points{pointOn(start)};
        m_used[start] = true;
        auto at = start;
        for (bool moved = true; moved;) {
            moved = false;
            for (const auto& next : m_neighbours[at])
                if (!m_used[next]) {
                    points.push_back(pointOn(next));
                    m_used[next] = true;
                    at = next;
                    moved = true;
                    break;
                }
        }
        const auto& ends = m_neighbours[at];
        if (points.size() > 2 && std::find(ends.begin(), ends.end(), start) != ends.end())
            points.push_back(points.front());
        return points;
    }
};

} // namespace

std::vector<ContourLine> contourLines(const std::vector<std::vector<double>>& rows,
                                      const std::vector<double>& levels, bool log) {
    std::vector<ContourLine> lines;
    for (const double level : levels)
        if (!log || level > 0) {
            auto found = Tracer(rows, level, log).lines(level);
            lines.insert(lines.end(), std::make_move_iterator(found.begin()),
                         std::make_move_iterator(found.end()));
        }
    return lines;
}

std::vector<double> contourLevels(AxisRange range, bool log, int wanted) {
    return log ? logTicks(range, 10, wanted) : linearTicks(range, wanted);
}

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
