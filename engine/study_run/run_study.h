// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"
#include "engine/study/point_validity.h"

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
    /// points/s, measured on the first thousand points of this run (or its first second) and kept up to date
    /// by those of late; 0 before.
    double measured = 0.0;

    double rate() const { return measured; } ///< points/s
    double secondsLeft() const { return measured > 0 ? static_cast<double>(total - done) / measured : 0; }
};

struct StudyRun {
    StudyInfo study;
    std::size_t computed = 0; ///< points evaluated now and stored
    std::size_t reused = 0;   ///< points found in the store; simulated ones also where two are equal
    bool cancelled =
        false; ///< stopped before all points of the shard, and the study's metrics of nodes, were stored
    double seconds = 0.0;
    std::vector<std::string> damage{}; ///< what of the study was damaged in the store: computed again
};

struct RunOptions {
    int jobs = 0;           ///< threads; 0: all cores
    PointShard shard{};     ///< the part of the points that is done; the others are left to other runs
    std::stop_token stop{}; ///< honoured within 100 ms; what is stored stays and is resumed from
    /// From the calling thread, at most 20 times a second, and once at the end.
    std::function<void(const StudyProgress&)> progress{};
};

/// Evaluates every point of the study that the store does not hold, on oneTBB, and stores it in batches:
/// points go from a source (the ordinals that are missing, put into the base by a PointSetter) through
/// evaluators to a sink (the store), packed on the way. Metrics of nodes come from the same evaluation.
/// Points of the same grid that another study has are taken over (Store::lenders()), simulated ones from
/// wherever their key is found. A point whose scenario has validation errors is stored infeasible.
/// Blocks; call it off the UI thread. Throws Error (InvalidInput for a bad study, Io from the store).
StudyRun runStudy(const Study& study, Store& store, const RunOptions& options);

} // namespace heteroscape::engine
