// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study_table.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
