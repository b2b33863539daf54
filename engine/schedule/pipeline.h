// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

namespace heteroscape::engine {

// What a pipeline of stages takes. Times in s (any one unit does), one for each stage and the same for every
// microbatch; a stage that sends does nothing else. One stage sends to nobody. Source: moe_parallel,
// section 7.

/// Between two stages; nothing where there is one.
inline double sendSeconds(std::span<const double> stages, double send) {
    return stages.size() > 1 ? send : 0.0;
}

/// `microbatches` (>= 1) through all stages (at least one) once, as in a prefill:
/// sum t_i + (P - 1) x + (M - 1)(max t_i + x). Exact for equal stages, else never less than it takes.
inline double pipelinePassSeconds(std::span<const double> stages, double microbatches, double send) {
    const double x = sendSeconds(stages, send);
    const double slowest = *std::max_element(stages.begin(), stages.end());
    return std::accumulate(stages.begin(), stages.end(), 0.0) + static_cast<double>(stages.size() - 1) * x +
           (microbatches - 1.0) * (slowest + x);
}

/// Until each of `microbatches` (>= 1) that go round and round comes by again, as in decode: one token of all
/// requests. max(sum t_i + P x, M (max t_i + x)).
inline double pipelineRoundSeconds(std::span<const double> stages, double microbatches, double send) {
    const double x = sendSeconds(stages, send);
    const double slowest = *std::max_element(stages.begin(), stages.end());
    const double alone =
        std::accumulate(stages.begin(), stages.end(), 0.0) + static_cast<double>(stages.size()) * x;
    return std::max(alone, microbatches * (slowest + x));
}

} // namespace heteroscape::engine
