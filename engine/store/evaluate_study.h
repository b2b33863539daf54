// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/parallel.h"
#include "engine/store/store.h"

#include <stop_token>

namespace heteroscape::engine {

/// Evaluates every point of a study in memory, on all cores, without a store: the same numbers, columns and
/// order as runStudy() and Store::read(). For what is drawn at once (scrubbing, bands) and where a store
/// cannot be written. The study's id is 0. `metrics`: those wanted, by key; empty: all. The others stay empty
/// and the table partial. Throws Error (InvalidInput for a bad study, Cancelled).
StudyTable evaluateStudy(const Study& study, const std::stop_token& stop = {},
                         const std::vector<std::string>& metrics = {});

/// The keys of the designs of a table of this study, row by row, for one that comes from no store.
std::vector<ScenarioKey> studyKeys(const StudyTable& table, const Study& study);

/// How long a study may take: seconds of evaluation and storing, from a sample of its points spread over the
/// grid that is evaluated for at most about `budget` seconds; NaN when not even one point was done.
double estimateSeconds(const Study& study, double budget = 0.05, const std::stop_token& stop = {});

/// One metric of a node (metric_path.h) at every given ordinal, in its shown unit; NaN where the
/// point is not feasible or has no such metric. `name` takes its label and unit.
std::vector<double> evaluateNodeMetric(const Study& study, const std::string& metric,
                                       const std::vector<std::size_t>& ordinals, NodeMetricName& name,
                                       const std::stop_token& stop = {}, int threads = coreCount());

} // namespace heteroscape::engine
