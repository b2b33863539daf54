// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/evaluation/simulate.h"

#include <string>
#include <vector>

namespace heteroscape::cli {

/// What is asked for most often of a simulation, as text; empty: as the design has it.
struct SimulatedLoad {
    std::string arrivals; ///< id of a kind
    std::string requests; ///< how many
    std::string rate;     ///< Poisson arrivals, requests/s
    std::string trace;    ///< file
    std::string seed;
};
/// Settings ("path=value") and the same as settings, in an order in which the later ones may rely on the
/// earlier.
std::vector<std::string> simulatedSettings(const SimulatedLoad& load, std::vector<std::string> settings = {});

/// Makes a design one whose requests are simulated, where they come steadily. Throws Error where one of the
/// settings ("path=value") of requests or batching would be kept and not read.
void letSimulate(engine::Scenario& scenario, const std::vector<std::string>& settings);

/// Counts, times (s), metrics in their shown units, nodes, links, and numbers of requests over time.
engine::Json servingJson(const engine::Scenario& scenario, const engine::Evaluation& evaluation,
                         const engine::ServingEvaluation& serving);

} // namespace heteroscape::cli
