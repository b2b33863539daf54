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

/// Prints a study as an aligned table, numbers in five digits, at most 200 rows.
/// Where points are ideal it says so.
void printStudy(std::ostream& out, const engine::StudyTable& table, const std::vector<std::string>& metrics,
                engine::Truths truths);

/// The same of a stored study, of which no more is read than is printed.
void printStudy(std::ostream& out, engine::Store& store, std::int64_t study,
                const std::vector<std::string>& metrics, const engine::Study& definition);

} // namespace heteroscape::cli
