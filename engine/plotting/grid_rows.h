// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// One flag a row of a study: 1 kept, 0 filtered out.
using RowMask = std::vector<std::uint8_t>;

/// The rows within all limits; a limit on a column that the table lacks keeps nothing. Without limits: all.
RowMask rowsWithin(const StudyTable& table, std::span<const Limit> limits);

std::size_t keptCount(const RowMask& mask);

/// An axis of a table that holds a whole grid: where its k-th value stands in the order of the rows.
struct GridAxis {
    const Axis* axis;
    std::size_t stride;                       ///< rows from one value to the next
    std::size_t position(double value) const; ///< of a value; the number of values when it has it not
    std::size_t length() const { return axis->values.size(); }
};

/// The axes of a table whose rows are all points of its grid by ordinal, the slowest first; nothing for any
/// other table. They point into the table.
std::optional<std::vector<GridAxis>> wholeGrid(const StudyTable& table);

/// The rows at which these axis columns have these values, in order. Of a whole grid they are counted out,
/// any other table is gone through. Throws Error (NotFound) for a column that is not there.
std::vector<std::size_t> rowsAt(const StudyTable& table,
                                std::span<const std::pair<std::string, double>> held);

/// The column of a name. Throws Error (NotFound) naming those there are.
const StudyColumn& columnOf(const StudyTable& table, const std::string& name);

/// One axis of parallel coordinates: a column of the study.
struct ParallelAxis {
    std::string column;
    double lower = 0.0, upper = 1.0; ///< of the values there are
    bool log = false;
    std::vector<std::uint16_t> places; ///< of each row, 0..kParallelPlaces-1; kNoPlace: no value

    double share(double value) const;   ///< where a value lies, 0..1
    double valueAt(double share) const; ///< the value there
};
inline constexpr std::uint16_t kParallelPlaces = 256;
inline constexpr std::uint16_t kNoPlace = 0xffff;

/// How many rows go from one place of an axis to one of the next: what is drawn in place of a line a row, so
/// that a picture of a million rows costs as much as one of a thousand.
struct ParallelBundle {
    std::uint16_t from = 0, to = 0;
    std::uint32_t kept = 0, all = 0; ///< rows
};

/// The axis of a column; logarithmic when its values are above zero and span over two decades.
ParallelAxis parallelAxis(const StudyTable& table, const std::string& column);

/// The bundles between two neighbouring axes, by `from`, then `to`. A row without a value in either has none.
std::vector<ParallelBundle> parallelBundles(const ParallelAxis& left, const ParallelAxis& right,
                                            const RowMask& kept);

} // namespace heteroscape::engine
