// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// Which cut of a study a plot shows.
struct SeriesQuery {
    std::string x;      ///< axis column along x
    std::string curve;  ///< axis column with one curve per value; empty: one curve
    std::string metric; ///< column along y
    std::vector<std::pair<std::string, double>> fixed; ///< the remaining axes and the value each is held at
};

/// One curve. x rises; y is NaN where the point is infeasible or the metric is not available: a gap, not a
/// zero.
struct Series {
    double curveValue = 0.0; ///< of the curve axis; NaN when there is none
    std::vector<double> x;
    std::vector<double> y;
    std::vector<std::size_t> rows; ///< of the study table, parallel to x
};

/// The curves of a cut, in the order of the curve axis's values. Throws Error (NotFound) naming an unknown
/// column.
std::vector<Series> studySeries(const StudyTable& table, const SeriesQuery& query);

/// The value of a column in a row; NaN where the row is infeasible.
double feasibleValue(const StudyTable& table, const StudyColumn& column, std::size_t row);

/// The best feasible row of a table by a metric (`better` as in MetricSpec; 0 counts as more is better), the
/// first of equals; nothing when no row has the metric.
std::optional<std::size_t> bestRow(const StudyTable& table, const std::string& metric, int better);

/// All rows, best first by a metric; rows without it last, in ordinal order.
std::vector<std::size_t> rowsBestFirst(const StudyTable& table, const std::string& metric, int better);

/// The index of the value nearest to x (by ratio when `log`); nothing when `values` is empty.
std::optional<std::size_t> nearestIndex(const std::vector<double>& values, double x, bool log);

} // namespace heteroscape::engine
