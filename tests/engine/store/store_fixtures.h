// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study_run/run_study.h"
#include "tests/engine/fixtures.h"

#include <string>
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

} // namespace heteroscape::engine::test
