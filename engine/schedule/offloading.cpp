// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/offloading.h"

#include "engine/techniques/near_storage.h"

namespace heteroscape::engine {

Offloading offloadingOf(const Scenario& scenario, std::size_t index, const Machine& machine, double copies,
                        TierMap& map) {
    const auto& node = scenario.nodes[index];
    Offloading result;
    result.copies = copies;
    result.tiers = map.at(scenario, index, copies);
    result.near = runsNearStorage(scenario, node, result.tiers);
    const double devices = tensorParallel(node);
    result.plan = planMemory(scenario.model, scenario.workload, machine, node.device, devices, result.tiers);
    const OffloadInput input{scenario,           machine, result.plan, result.tiers,
                             map.storageNodes(), devices, result.near};
    result.kv = splitKv(input);
    if (!result.plan.shortfall) {
        const double kv = result.kv.storage * result.plan.kv;
        const auto& tier = result.near ? result.tiers.near : result.tiers.storage;
        if (kv > tier.capacity)
            result.plan.shortfall = {Tier::Storage, kv, tier.capacity, "KV cache"};
        else if (kv + result.plan.weightsStorage > result.tiers.storage.capacity)
            result.plan.shortfall = {Tier::Storage, kv + result.plan.weightsStorage,
                                     result.tiers.storage.capacity, "weights and KV cache"};
    }
    result.prefill = prefillFlows(input, result.kv);
    result.decode = decodeFlows(input, result.kv);
    return result;
}

} // namespace heteroscape::engine
