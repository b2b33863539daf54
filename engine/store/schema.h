// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"
#include "engine/study/study.h"

#include <string>

namespace heteroscape::engine {

// The tables of a store, schema version 6 (PRAGMA user_version; application_id "HtSc"):
//   studies      one row a study: name, view, when, equations, its base scenario as JSON
//   study_axes   its axes: path, label, unit, number of values
//   axis_values  the values of each axis, by position; choices have a name too
//   study_rows   (study, ordinal) -> point; the last axis varies fastest
//   points       the answers: feasible, bound, one column a metric in its shown unit
//   point_keys   scenario key -> point
//   study_limits what is kept of a study when it is read
//   study_figures, study_values   metrics of nodes that a study keeps, by ordinal
//   bounds       the texts of points.bound
//   metric_columns  metric -> the first point that has it: those before were stored without
// Points are apart from their keys so that points are appended in the order of the study, which keeps a
// study's points side by side for reading, while the keys (random by nature) go into a small index, sorted by
// batch.
//
// Metrics are found by name. One that this program does not know is left alone; one that the file does not
// have gets a column, in which the points that are there read N/A. Such points are no answers any more when
// somebody asks for them: whatever runs a study with them computes them again. So it is with points of a
// program that knew fewer metrics than the file has.

inline constexpr int kStoreSchemaVersion = 6;
inline constexpr std::uint32_t kStoreApplicationId = 0x48745363; // "HtSc"

/// Refuses, by its name and first bytes and without opening it as a database, what is no store of ours.
/// A file that is not there, or empty, is fine.
void checkStoreFile(const std::string& path);

/// How a store can be opened that stands there.
Database::Access accessTo(const std::string& path);

/// SQLite gives its files beside a store (-wal, -shm) the store's own mode, and whoever may only read leaves
/// them there. Where the store can be written again, so can they.
void matchRights(const std::string& path);

/// Makes the tables in an empty file, checks them in any other, brings older ones up to date (1 has no
/// names of choices; 1 to 4 have neither limits nor metrics of nodes; 1 to 5 do not say since when there is
/// a metric), gives it the metrics it does not have yet, and sets the connection up.
void prepareStore(Database& database);

/// The first point that has every metric of this program; those before have to be computed again.
std::int64_t firstWhole(Database& database);
/// Points up to `lastPoint` were written just now, without the metrics that this program does not know.
void noteUnknownMetrics(Database& database, std::int64_t lastPoint);

/// "study_7_a100_7u280": safe characters only, whatever the name is.
std::string studyViewName(std::int64_t id, const std::string& name);

/// The CREATE VIEW of a study: a column per axis (its path), feasible, a column per metric, bound.
std::string studyViewSql(std::int64_t id, const std::string& view, const std::vector<Axis>& axes,
                         const std::vector<std::string>& nodeMetrics = {});

/// An SQL identifier in quotes.
std::string quotedName(std::string_view name);

} // namespace heteroscape::engine
