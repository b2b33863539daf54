// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "engine/study/point_shard.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace heteroscape::engine {

struct StudyProgress {
    std::size_t total = 0;
    std::size_t done = 0;     ///< stored, computed or reused
    std::size_t before = 0;   ///< of which stored for this study when the run began
    std::size_t computed = 0; ///< evaluated in this run
    double seconds = 0.0;     ///< since the run began
    /// points/s of this run
    double rate() const { return seconds > 0 ? static_cast<double>(done - before) / seconds : 0; }
    double secondsLeft() const { return rate() > 0 ? static_cast<double>(total - done) / rate() : 0; }
};

struct StudyRun {
    StudyInfo study;
    std::size_t computed = 0; ///< points evaluated now and stored
    std::size_t reused = 0;   ///< points found in the store, or equal to another point of the study
    bool cancelled =
        false; ///< stopped before all points of the shard, and the study's metrics of nodes, were stored
    double seconds = 0.0;
};

struct RunOptions {
    int jobs = 0;           ///< threads; 0: all cores
    PointShard shard{};     ///< the part of the points that is done; the others are left to other runs
    std::stop_token stop{}; ///< honoured within 100 ms; what is stored stays and is resumed from
    /// From the calling thread, at most 20 times a second, and once at the end.
    std::function<void(const StudyProgress&)> progress{};
};

/// Evaluates every point of the study that the store does not hold, on oneTBB, and stores it in batches.
/// No scenario is evaluated twice. A point whose scenario has validation errors is stored infeasible.
/// Blocks; call it off the UI thread. Throws Error (InvalidInput for a bad study, Io from the store).
StudyRun runStudy(const Study& study, Store& store, const RunOptions& options);

} // namespace heteroscape::engine
