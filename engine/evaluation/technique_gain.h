// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// What one technique that is switched on brings: the design with it against the same design without it.
struct TechniqueGain {
    std::string id;               ///< "l2_prefetch"
    std::string label;            ///< "L2 prefetch"
    bool comparable = false;      ///< both designs run
    std::string reason;           ///< why not
    double throughput = kUnset;   ///< ratio, above 1 is better
    double latency = kUnset;      ///< without / with, above 1 is better
    double timePerToken = kUnset; ///< without / with, above 1 is better
};

/// One for each technique that is switched on, in their order.
std::vector<TechniqueGain> techniqueGains(const Scenario& scenario);

/// "L2 prefetch: throughput 1.09 x, latency 1.09 x, time per token 1.1 x better than without": for people.
std::string gainText(const TechniqueGain& gain);

} // namespace heteroscape::engine
