// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/tiers.h"
#include "engine/schedule/layer_flows.h"

#include <array>
#include <functional>
#include <span>

namespace heteroscape::engine {

/// Where the KV cache of an offloading runtime goes. Baselines fill the usable host memory first:
///   host = min(1, usable / KV).
/// Near storage:
///   everything fits the host, and HostKv is off: host = 1, as the baseline does;
///   X cache: x = min(1, usable / X, balance), where the balance is the largest share at which the device's
///   terms of a decode step at the mean context do not exceed the others; 0 when off or when X is not smaller
///   than K and V (grouped-query attention); a share that is asked for takes the place of the balance;
///   HostKv: the shares of host and X that make that step shortest with x X + host KV <= usable; of equals
///   the one that leaves least on storage. The step is convex in the shares, so it falls continuously as
///   memory grows.
/// The mean context is s + (n - 1) / 2. Source: INF2's model, section 3; HostKv is ours.
KvShares splitKv(const OffloadInput& input);

/// Ways to split a KV cache, the first of them splitKv()'s.
class KvChoices {
public:
    static constexpr std::size_t kCapacity = 12;

    void add(const KvShares& kv);
    std::span<const KvShares> all() const { return {m_choices.data(), m_size}; }

private:
    std::array<KvShares, kCapacity> m_choices;
    std::size_t m_size = 0;
};

/// What splitKv() weighs is a decode step at the mean context. A whole batch also has a prefill, which writes
/// the KV cache, and contexts at which another chain is the longest. So where a share is left to choose, the
/// ends of its range, and what holds with the technique off, are choices too, for whoever can time a batch.
KvChoices kvChoices(const OffloadInput& input);

/// What an offloading runtime does on one node: for one replica on `devices` devices.
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
