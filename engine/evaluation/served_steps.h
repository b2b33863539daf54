// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/simulate.h"

namespace heteroscape::engine {

/// Where requests are served step by step, by the design's batching or because its users wait for answers:
/// gives the pools of a system their servers' settings, and routes what the sender takes. Why it cannot;
/// empty: it did, or nothing is served so. `poolNodes`: the node of each pool. Pools that offload serve whole
/// batches whatever is chosen.
std::string setServers(const Scenario& scenario, std::span<const std::size_t> poolNodes,
                       ServingSystem& system);

} // namespace heteroscape::engine
