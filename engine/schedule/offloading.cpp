// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/offloading.h"

#include "engine/techniques/near_storage.h"

#include <limits>

namespace heteroscape::engine {

namespace {

/// What a split of the KV cache decides.
void place(Offloading& out, const OffloadInput& input, const KvShares& kv) {
    out.kv = kv;
    const double stored = kv.storage * out.plan.kv;
    const auto& all = out.tiers.storage;
    const auto& tier = out.near ? out.tiers.near : all;
    if (!out.plan.shortfall) {
        if (stored > tier.capacity)
            out.plan.shortfall = {Tier::Storage, stored, tier.capacity, "KV cache"};
        else if (stored + out.plan.weightsStorage > all.capacity)
            out.plan.shortfall = {Tier::Storage, stored + out.plan.weightsStorage, all.capacity,
                                  "weights and KV cache"};
    }
    out.prefill = prefillFlows(input, kv);
    out.decode = decodeFlows(input, kv);
}

} // namespace

Offloading offloadingOf(const Scenario& scenario, std::size_t index, const Machine& machine,
                        double activeReplicas, TierMap& map,
                        const std::function<double(const Offloading&)>& batchSeconds) {
    const auto& node = scenario.nodes[index];
    Offloading begun;
    begun.activeReplicas = activeReplicas;
    begun.tiers = map.at(scenario, index, activeReplicas);
    begun.near = runsNearStorage(scenario, node, begun.tiers);
    const double devices = tensorParallel(node);
    begun.plan = planMemory(scenario.model, scenario.workload, machine, node.device, devices, begun.tiers);
    const OffloadInput input{scenario,           machine, begun.plan, begun.tiers,
                             map.storageNodes(), devices, begun.near};
    const auto choices = kvChoices(input);
    auto best = begun;
    place(best, input, choices.all().front());
    if (choices.all().size() == 1 || begun.plan.shortfall)
        return best;
    constexpr double kRounding = 1e-12;
    const auto secondsOf = [&](const Offloading& one) {
        return one.plan.shortfall ? std::numeric_limits<double>::infinity() : batchSeconds(one);
    };
    double least = secondsOf(best);
    for (const auto& kv : choices.all().subspan(1)) {
        auto other = begun;
        place(other, input, kv);
        if (const double seconds = secondsOf(other); seconds < least * (1.0 - kRounding)) {
            least = seconds;
            best = other;
        }
    }
    return best;
}

} // namespace heteroscape::engine
