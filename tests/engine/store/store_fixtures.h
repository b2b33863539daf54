// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study_run/run_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace heteroscape::engine::test {

/// A grid over the first GLITCHES system: prompt x output x batch; some points do not fit into memory.
inline Study smallStudy(std::size_t prompts = 20, std::size_t outputs = 30) {
    Study study{"A100 + 7 U280", preset("glitches/a100-7u280"), {}};
    study.axes = {
        {"workload.prompt_tokens", {}}, {"workload.output_tokens", {}}, {"workload.batch", {1, 4096}}};
    for (std::size_t i = 0; i < prompts; ++i)
        study.axes[0].values.push_back(static_cast<double>(64 + 16 * i));
    for (std::size_t i = 0; i < outputs; ++i)
        study.axes[1].values.push_back(static_cast<double>(2000 - i));
    return study;
}

inline RunOptions withJobs(int jobs) {
    RunOptions options;
    options.jobs = jobs;
    return options;
}

/// Runs a study, asks it to stop once it is under way, and again until it ended within 100 ms: a busy machine
/// may take the processor away. Each run has to be cancelled; whatever else is wanted of it, `check` checks.
inline void checkStopsAtOnce(const Study& study, Store& store, RunOptions options,
                             const std::function<bool(const StudyProgress&)>& isUnderWay,
                             const std::function<void(const StudyRun&)>& check) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int attempt = 0; attempt < 10 && best > 0.1; ++attempt) {
        std::stop_source source;
        std::atomic<bool> running = false;
        options.stop = source.get_token();
        options.progress = [&](const StudyProgress& progress) { running = isUnderWay(progress); };
        StudyRun run;
        Clock::time_point ended;
        std::thread runner([&] {
            run = runStudy(study, store, options);
            ended = Clock::now();
            running = true;
        });
        while (!running)
            std::this_thread::yield();
        const auto asked = Clock::now();
        source.request_stop();
        runner.join();
        CHECK(run.cancelled);
        check(run);
        best = std::min(best, std::chrono::duration<double>(ended - asked).count());
    }
    CHECK(best < 0.1);
}

} // namespace heteroscape::engine::test
