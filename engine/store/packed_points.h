// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Consecutive points on their way into the store, packed already: at most kMostBlockPoints.
struct PackedPoints {
    std::size_t first = 0; ///< ordinal
    std::size_t count = 0;
    /// What was worked out: "feasible", metrics by key, metrics of nodes by path. Not "bound".
    std::shared_ptr<const std::vector<std::string>> columns{};
    std::vector<std::string> blocks{};   ///< packBlock() of each column; in the shown unit
    std::vector<std::uint32_t> bounds{}; ///< of each point: a place in the list of bounds that goes with it
    std::vector<ScenarioKey> keys{};     ///< of each point where points are reused by key; else empty
};

} // namespace heteroscape::engine
