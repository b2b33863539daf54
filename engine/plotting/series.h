// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study_table.h"

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// A stretch of an axis.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    double middle() const { return (from + to) / 2; }
};

/// Where bar `bar` of the `count` bars of the group around `category` stands. Categories lie at 0, 1, 2…; a
/// group takes `share` of the way to the next.
Stretch barStretch(std::size_t category, int bar, int count, double share = 0.8);

/// The bar of the group around the nearest category that lies at `x`; nothing between groups.
struct BarAt {
    std::size_t category = 0;
    int bar = 0;
};
std::optional<BarAt> barAt(double x, std::size_t categories, int count, double share = 0.8);

/// The pieces of stacked bars in one category. `values` and `bars` are parallel, one entry a series: series
/// of the same bar stand on each other in the order given, values below zero downwards. A NaN is no piece
/// (both ends NaN) and takes no room.
std::vector<Stretch> stackPieces(const std::vector<double>& values, const std::vector<int>& bars);

/// How the points behind one plotted value are put together.
enum class MeanKind { Arithmetic, Harmonic, Sum };
std::span<const std::string_view> meanKindNames(); ///< "arithmetic", "harmonic", "sum"

/// An axis column and the value it is held at.
using HeldAxis = std::pair<std::string, double>;

/// Every value as the gain over the point that differs only in one axis, or a few: their ratio, above 1 where
/// the value is the better one (value / base where more is better, base / value where less is).
struct GainOver {
    std::string axis;                ///< axis column; empty: the values themselves
    double value = 0.0;              ///< of that axis at the base
    std::vector<HeldAxis> further{}; ///< more axes that are another at the base, and their values there

    /// Whether the base has a value of its own on this axis.
    bool names(const std::string& path) const;
    bool operator==(const GainOver&) const = default;
};

/// One curve of a plot whose curves differ in several axes: "A100, 8 CSDs".
struct SeriesCase {
    std::string name;
    std::vector<HeldAxis> at; ///< at least one axis; the cases of a plot name the same ones
    bool operator==(const SeriesCase&) const = default;
};

/// What everything is read against: the metrics of a design or of a point, in the shown unit.
struct Baseline {
    std::string name;                      ///< "A100 80GB, 7 U280"
    std::map<std::string, double> metrics; ///< by column
    /// value / baseline; the value itself for a column without one, NaN where the baseline has none.
    double ratio(const std::string& column, double value) const;
};

/// Which cut of a study a plot shows.
struct SeriesQuery {
    std::string x;                       ///< axis column along x
    std::string curve;                   ///< axis column with one curve per value; empty: one curve
    std::string metric;                  ///< column along y
    std::vector<HeldAxis> fixed;         ///< the remaining axes and the value each is held at
    GainOver gain{};                     ///< taken point by point, before the mean
    std::vector<std::string> meanOver{}; ///< axis columns over all of whose values the mean is taken
    MeanKind mean = MeanKind::Arithmetic;
    std::vector<SeriesCase> cases{};            ///< the curves, in place of `curve`, which is empty then
    std::shared_ptr<const Baseline> baseline{}; ///< every value of a metric as its ratio to this

    /// Whether the cases say where this axis is.
    bool inCases(const std::string& path) const;
    bool operator==(const SeriesQuery&) const = default;
};

/// One curve. x rises; y is NaN where the point (or, of a mean, any point) is infeasible or not stored yet,
/// the metric is not available or the base of a gain is missing: a gap, not a zero.
struct Series {
    double curveValue = 0.0; ///< of the curve axis, or the position of the case; NaN when there is neither
    std::vector<double> x;
    std::vector<double> y;
    std::vector<std::size_t> rows; ///< of the study table, parallel to x; of a mean the first of its points
};

/// The curves of a cut, in the order of the curve axis's values or of the cases; a case without points has
/// none. Throws Error (NotFound) naming an unknown
/// column.
std::vector<Series> studySeries(const StudyTable& table, const SeriesQuery& query);

/// The value of a column in a row; NaN where the row is infeasible.
double feasibleValue(const StudyTable& table, const StudyColumn& column, std::size_t row);

/// The same for many rows. The table and the column must outlive it.
class FeasibleValues {
public:
    FeasibleValues(const StudyTable& table, const StudyColumn& column);
    double operator()(std::size_t row) const {
        return m_feasible && m_feasible->values[row] != 1.0 ? std::numeric_limits<double>::quiet_NaN()
                                                            : m_column.at(row);
    }

private:
    const StudyColumn* m_feasible; ///< null where it does not matter
    const StudyColumn& m_column;
};

/// The index of the best value of a curve (`better` 1: the largest, -1: the smallest), or of the first that
/// is within a share of it; nothing when the curve has no value.
std::optional<std::size_t> bestIndex(const std::vector<double>& values, int better, double within = 0.0);

/// The index of the value nearest to x (by ratio when `log`); nothing when `values` is empty.
std::optional<std::size_t> nearestIndex(const std::vector<double>& values, double x, bool log);

} // namespace heteroscape::engine
