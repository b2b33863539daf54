// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study_table.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// Columns to show: axes, then the metrics asked for; all columns when none is named.
std::vector<const engine::StudyColumn*> shownColumns(const engine::StudyTable& table,
                                                     const std::vector<std::string>& metrics);

/// Prints a study as an aligned table, numbers in five digits, at most 200 rows.
void printStudy(std::ostream& out, const engine::StudyTable& table, const std::vector<std::string>& metrics);

} // namespace heteroscape::cli
