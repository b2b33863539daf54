// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/series.h"
#include "widgets/explore/loaded_study.h"

#include <string>
#include <vector>

namespace heteroscape::widgets {

/// The axes that the cases of a cut say the place of; none without cases.
std::vector<std::string> caseAxes(const engine::SeriesQuery& query);

/// Every combination of the values of some axes of the study as a case, the last axis fastest, named by its
/// values: "A100, 8". None when there would be more than kMostCases, or no axis.
inline constexpr std::size_t kMostCases = 64;
std::vector<engine::SeriesCase> everyCase(const LoadedStudy& study, const std::vector<std::string>& axes);

/// Whether two cases are at the same place, whatever their names and the order of their axes.
bool samePlace(const engine::SeriesCase& a, const engine::SeriesCase& b);

} // namespace heteroscape::widgets
