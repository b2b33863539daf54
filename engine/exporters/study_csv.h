// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"
#include "engine/store/store.h"
#include "engine/study/study.h"
#include "engine/study/study_table.h"

#include <functional>
#include <optional>
#include <span>
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

/// Claims as CSV, one number a row: each claim, the numbers behind it (column "part"), and both under the
/// other conventions (column "variant"). Exact numbers, empty where there is none; errors from unrounded
/// values.
std::string claimsCsv(std::span<const PaperComparison> comparisons);

/// What became of a point of a study.
enum class PointStatus {
    Ok,          ///< it fits and runs, and every limit of the study holds
    Filtered,    ///< it fits and runs, and a limit of the study does not hold
    Infeasible,  ///< it does not fit or cannot run: no metric has a value
    NotComputed, ///< it is in the grid, and was not evaluated yet
};
std::string_view pointStatusName(PointStatus status); ///< "ok", "filtered", "infeasible", "not computed"
/// `limits`: those that filter, in place of the study's own.
PointStatus pointStatus(const StudyTable& table, std::size_t row, const std::vector<Limit>& limits);

/// What is said of the points of a table beside their values.
struct PointMarks {
    std::vector<ScenarioKey> keys{};            ///< row by row: studyKeys(); may be empty
    std::optional<std::vector<Limit>> limits{}; ///< those that filter; none: the study's own
};

/// A study as CSV: a header, then one row a point of the grid in ordinal order, with exact numbers, empty
/// where not available. The columns, by the names of the header:
///   one an axis, named by its path   the point's value; of choices their name
///   feasible                         1 or 0; empty when not computed
///   one a metric, named by its key, then those of nodes by their path, all in their shown unit; behind it,
///                                    where that was asked for, <key>_expected_error_pct
///   truth                            what it rests on, where points rest on different kinds (addTruths());
///   of
///                                    a stored study also where all are ideal
///   bound                            what limits the design: "gpu decode memory"
///   status                           "ok", "filtered", "infeasible" or "not computed": see PointStatus
///   key                              the design's key as the store has it: 32 hexadecimal digits, empty when
///                                    not computed, or when no keys are given
/// `metrics`: the metric columns wanted, by key, in the store's order; empty: all. The other columns are
/// always there. Throws Error (NotFound) for a metric that is none.
std::string studyCsv(const StudyTable& table, const std::vector<std::string>& metrics = {},
                     const PointMarks& marks = {});

/// The same of a study that is stored, with keys, handed over some ten thousand points at a time: whatever
/// its size, it takes the memory of those. `definition`: Store::definition(). Throws Error from the store.
void studyCsv(Store& store, std::int64_t study, const Study& definition,
              const std::vector<std::string>& metrics, const std::function<void(std::string_view)>& take);
/// That as a whole file. Throws Error also when the catalogue lacks a choice.
void writeStudyCsv(Store& store, std::int64_t study, const Catalog& catalog,
                   const std::vector<std::string>& metrics, const std::string& path);

/// What has to be read for a table of these metrics and for PointStatus: as Store::read() takes it.
std::vector<std::string> metricsToRead(const StudyInfo& study, const std::vector<std::string>& metrics);

} // namespace heteroscape::engine
