// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "engine/study/study_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Behind the name of a metric's column: "tpot_s_expected_error_pct".
inline constexpr std::string_view kExpectedErrorColumn = "_expected_error_pct";

/// The metric of a column: of a column of expected errors that which it is about.
std::string_view metricOfColumn(std::string_view column);

/// Puts behind each wanted metric (by key; empty: all) of a table a column of how far it is expected to be
/// off in each point, per cent, where any point has such a figure (engine/evaluation/expected_error.h).
/// Evaluates the points anew, some ms each.
void addExpectedErrors(StudyTable& table, const Study& study, const std::vector<std::string>& metrics = {});

} // namespace heteroscape::engine
