// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/offload.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

std::string gigabytes(double bytes) {
    return shortText(bytes / units::GB) + " GB";
}

} // namespace

void placeOffloaded(const Offloading& offloading, const Node& node, NodeEvaluation& out) {
    const auto& plan = offloading.plan;
    const auto& tiers = offloading.tiers;
    auto& result = out.offload;
    result.active = true;
    result.near = offloading.near;
    result.activeReplicas = offloading.activeReplicas;
    result.kv = offloading.kv;
    result.kvBytes = plan.kv;
    const bool onDevice = node.runtime->offload.rules().kvOnDevice;
    auto& device = result.tiers[static_cast<std::size_t>(Tier::Device)];
    auto& host = result.tiers[static_cast<std::size_t>(Tier::Host)];
    auto& storage = result.tiers[static_cast<std::size_t>(Tier::Storage)];
    device = {plan.weightsDevice, onDevice ? plan.kv : 0.0, 0.0,
              plan.weightsDevice > 0.0 ? 0.0 : plan.layerWeights,
              out.devices * node.device.memoryCapacity.value};
    host = {plan.weightsHost, offloading.kv.host * plan.kv, offloading.kv.x * plan.x,
            std::min(plan.staging, tiers.hostMemory), tiers.hostMemory};
    storage = {plan.weightsStorage, offloading.kv.storage * plan.kv, 0.0, 0.0,
               tiers.storage.devices > 0.0 ? tiers.storage.capacity : kUnset};
    out.weightBytes = plan.weightsDevice / out.devices;
    out.kvBytes = onDevice ? plan.kv / out.devices : 0.0;
    out.memoryCapacity = node.device.memoryCapacity.value;
    out.shortfall = plan.shortfall;
    out.fits = !plan.shortfall;
}

PlacedTerms explainPlaced(const Scenario& scenario, const Node& node, const Machine& machine,
                          const Offloading& offloading) {
    const auto& rules = node.runtime->offload.rules();
    const auto sizes = explainMemory(scenario.model, scenario.workload, machine, node.device,
                                     tensorParallel(node), offloading.tiers);
    const auto gigabytes = [](const Term& size, const char* name) {
        return size.named(name, measures::gigabytes);
    };
    const auto share = [](const Term& part, const char* name) { return part.named(name, measures::percent); };
    const auto all = Term::counted("All of it", 1.0, measures::percent, "definition");
    const auto chosen = [](const char* name, double value) {
        return Term::counted(name, value, measures::percent,
                             "the split with the shortest step that was found");
    };
    PlacedTerms terms;
    if (!rules.kvOnDevice) {
        const auto room = share(sizes.usable / sizes.kv, "Room for it in host memory");
        const bool splits = offloading.near && !(offloading.kv.host == 1.0);
        terms.hostShare = share(splits ? min(min(chosen("Share for the host", offloading.kv.host), all), room)
                                       : min(all, room),
                                "Share in host memory");
        if (offloading.kv.x > 0.0)
            terms.xShare = share(min(chosen("Share for X cache", offloading.kv.x),
                                     share(all - terms.hostShare, "Left by the host")),
                                 "Share as X cache");
        terms.storageShare = share(all - terms.hostShare - terms.xShare, "Share on storage");
    }
    terms.weights =
        sum("Weights", measures::gigabytes, {sizes.weightsDevice, sizes.weightsHost, sizes.weightsStorage});
    terms.weightsStorage = sizes.weightsStorage;
    terms.kv = sizes.kv;
    terms.device = sum("Device memory used", measures::gigabytes,
                       {sizes.weightsDevice, rules.kvOnDevice ? sizes.kv : Term(),
                        sizes.weightsDevice ? Term() : sizes.layerWeights});
    const auto memory =
        Term::counted("Host memory for one replica", offloading.tiers.hostMemory, measures::gigabytes,
                      "memory of the host, by the replicas that share it");
    terms.host =
        sum("Host memory used", measures::gigabytes,
            {sizes.weightsHost, gigabytes(terms.hostShare * sizes.kv, "KV cache"),
             gigabytes(terms.xShare * sizes.x, "X cache"), gigabytes(min(sizes.staging, memory), "Buffers")});
    terms.storage = sum("Storage used", measures::gigabytes,
                        {sizes.weightsStorage, gigabytes(terms.storageShare * sizes.kv, "KV cache")});
    return terms;
}

std::string unmeasuredText(const Error& error) {
    if (error.code() != ErrorCode::NotFound && error.code() != ErrorCode::InvalidInput)
        throw error;
    return error.message() + (error.remedy().empty() ? "." : ". " + error.remedy() + ".");
}

std::string shortfallText(const Scenario& scenario, std::size_t index, const NodeEvaluation& result) {
    const auto& node = scenario.nodes[index];
    const auto& shortfall = *result.shortfall;
    std::string text = node.shownName() + " needs " + gigabytes(shortfall.needed) + " of " +
                       std::string(tierLabel(shortfall.tier)) + " for " + std::string(shortfall.what);
    if (!result.offload.active)
        text +=
            " (" + gigabytes(result.weightBytes) +
            (result.keptBytes > 0.0 ? ", " + gigabytes(result.kvBytes) + " and " + gigabytes(result.keptBytes)
                                    : " and " + gigabytes(result.kvBytes)) +
            ")";
    text += " but has " + gigabytes(shortfall.available) +
            (shortfall.tier == Tier::Host ? " of it to use" : "") +
            ". Shrink the batch, the context or the model, or use ";
    switch (shortfall.tier) {
    case Tier::Device:
        if (result.offload.active)
            return text + "an accelerator with more memory.";
        if (tensorParallel(node) > 1.0 || node.count.value > 1.0)
            return text + "a larger device; or let more devices share one replica (fewer replicas).";
        return text + "a larger device, or several that share one replica (set replicas).";
    case Tier::Host:
        return text + "more host memory; or choose a runtime that reads from storage.";
    case Tier::Storage:
        return text + "more SSDs or CSDs.";
    }
    return text;
}

} // namespace heteroscape::engine
