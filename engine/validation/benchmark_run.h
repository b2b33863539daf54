// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/evaluation/simulate.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// What a serving benchmark wrote of one run: the result of `vllm bench serve --save-result`, or a line of
/// SGLang's bench_serving --output-file.
struct BenchmarkRun {
    struct Told {
        std::string_view key;   ///< "mean_ttft_ms"
        std::string_view label; ///< "Time to first token, mean"
        std::string_view unit;  ///< "ms"
        double value = 0.0;     ///< in that unit
    };
    std::string software;                                   ///< as it names it; may be empty
    double requests = 0.0;                                  ///< answered
    double prompt = 0.0, output = 0.0;                      ///< mean tokens
    double users = std::numeric_limits<double>::infinity(); ///< at once, at most
    double rate = std::numeric_limits<double>::infinity();  ///< requests/s that are sent
    std::vector<Told> told;
};

/// At least one, as they stand in the file: vLLM's holds one run, SGLang's one in each line. Throws Error
/// (InvalidInput) at `where` naming the key: no JSON, no counts, nothing measured.
std::vector<BenchmarkRun> readBenchmarkRuns(const std::string& text, const std::string& where);

/// The load of a run: a closed loop of its users, Poisson arrivals at its rate, or all at once; lengths are
/// its means. As settings of a design (`--set`), in this order: of every run the same paths, without a text
/// what its arrivals do not know.
struct LoadSetting {
    std::string_view path;
    std::string text;
};
std::vector<LoadSetting> loadOf(const BenchmarkRun& run);
Scenario underLoadOf(const BenchmarkRun& run, Scenario design, const Catalog& catalog);

struct BenchmarkCell {
    BenchmarkRun::Told measured;
    double simulated = 0.0; ///< in its unit

    double error() const { return simulated / measured.value - 1.0; }
};
/// What was measured beside what the simulation of the design under its load gives.
std::vector<BenchmarkCell> besideMeasured(const BenchmarkRun& run, const ServingEvaluation& serving);

} // namespace heteroscape::engine
