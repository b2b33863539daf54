// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "engine/study/study_table.h"

#include <stop_token>

namespace heteroscape::engine {

/// What running a study would come to.
struct StudyForecast {
    std::size_t points = 0;
    std::size_t stored = 0; ///< of which the store holds the answer, of this study or of another
    bool exact = true;      ///< false: `stored` is told from a sample of the points
    double seconds = 0;     ///< for the rest, about; NaN when nothing is known (see estimateSeconds())
};

/// Looks a study up and times a sample of its points: some tenths of a second, so call it off the UI thread.
/// Nothing is stored. `store` may be null: then nothing is. After a stop request the answer means nothing.
/// Throws Error (InvalidInput for a bad study, and what the store throws).
StudyForecast forecastStudy(const Study& study, Store* store, const std::stop_token& stop = {});

/// Evaluates every point of a study in memory, on all cores, without a store: the same numbers, columns and
/// order as runStudy() and Store::read(). For what is drawn at once (scrubbing, bands) and where a store
/// cannot be written. The study's id is 0. `metrics`: those wanted, by key; empty: all. The others stay empty
/// and the table partial. `threads`: 0: all cores. Throws Error (InvalidInput for a bad study, Cancelled).
StudyTable evaluateStudy(const Study& study, const std::stop_token& stop = {},
                         const std::vector<std::string>& metrics = {}, int threads = 0);

/// The keys of the designs of a table of this study, row by row, for one that comes from no store.
std::vector<ScenarioKey> studyKeys(const StudyTable& table, const Study& study);

/// How long a study may take: seconds of evaluation and storing, measured on a thousand of its points, in
/// stretches over the grid, that are evaluated for at most about `budget` seconds; NaN when not even one
/// point was done.
double estimateSeconds(const Study& study, double budget = 0.05, const std::stop_token& stop = {});

} // namespace heteroscape::engine
