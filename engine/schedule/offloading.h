// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/tiers.h"
#include "engine/schedule/kv_split.h"

#include <functional>

namespace heteroscape::engine {

/// What an offloading runtime does on one node: for one copy of the model on `devices` devices.
struct Offloading {
    Tiers tiers;
    double activeReplicas = 1.0; ///< of the model at work on the node
    MemoryPlan plan;             ///< with the shortfall of storage, where the KV cache does not fit there
    KvShares kv;
    bool near = false; ///< attention runs near storage
    LayerFlows prefill;
    LayerFlows decode;

    const LayerFlows& flows(Phase phase) const { return phase == Phase::Prefill ? prefill : decode; }
};

/// Tiers, plan, split and flows of a node whose runtime offloads and that has a host (see validate()).
/// `machine` is the node's, `activeReplicas` work on it. `map` was reset() to the scenario and is left
/// as after finding this node. Of the ways to split the KV cache (see kvChoices()) it takes the first that
/// fits and for which `batchSeconds`, the time of what the node does for a whole batch, is least.
Offloading offloadingOf(const Scenario& scenario, std::size_t node, const Machine& machine,
                        double activeReplicas, TierMap& map,
                        const std::function<double(const Offloading&)>& batchSeconds);

} // namespace heteroscape::engine
