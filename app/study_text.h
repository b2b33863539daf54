// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "engine/study/truths.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// Columns to show: axes, the metrics asked for, what points rest on; all columns when none is named.
std::vector<const engine::StudyColumn*> shownColumns(const engine::StudyTable& table,
                                                     const std::vector<std::string>& metrics);

/// Of a column in a row: numbers in five digits.
std::string cellText(const engine::StudyColumn& column, std::size_t row);

inline constexpr std::size_t kPrintedRows = 200; ///< of a study at most

/// Prints a study as an aligned table of at most so many rows.
/// Where points are ideal it says so.
void printStudy(std::ostream& out, const engine::StudyTable& table, const std::vector<std::string>& metrics,
                engine::Truths truths);

/// The same of a stored study, of which no more is read than is printed.
void printStudy(std::ostream& out, engine::Store& store, std::int64_t study,
                const std::vector<std::string>& metrics, const engine::Study& definition);

} // namespace heteroscape::cli
