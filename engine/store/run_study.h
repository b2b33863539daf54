// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace heteroscape::engine {

struct StudyProgress {
    std::size_t total = 0;
    std::size_t done = 0;     ///< stored, computed or reused
    std::size_t computed = 0; ///< evaluated in this run
    double seconds = 0.0;     ///< since the run began
    double rate() const { return seconds > 0 ? static_cast<double>(done) / seconds : 0; } ///< points/s
    double secondsLeft() const { return rate() > 0 ? static_cast<double>(total - done) / rate() : 0; }
};

struct StudyRun {
    StudyInfo study;
    std::size_t computed = 0; ///< points evaluated now
    std::size_t reused = 0;   ///< points found in the store
    bool cancelled = false;
    double seconds = 0.0;
};

struct RunOptions {
    int jobs = 0;           ///< threads; 0: all cores
    std::stop_token stop{}; ///< honoured within 100 ms; what is stored stays and is resumed from
    std::function<void(const StudyProgress&)>
        progress{}; ///< from the calling thread, at most 20 times a second
};

/// Evaluates every point of the study that the store does not hold, on oneTBB, and stores it in batches.
/// A point whose scenario has validation errors is stored infeasible. Blocks; call it off the UI thread.
StudyRun runStudy(const Study& study, Store& store, const RunOptions& options);

} // namespace heteroscape::engine
