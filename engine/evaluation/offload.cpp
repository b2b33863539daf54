// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/offload.h"

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
    result.copies = offloading.copies;
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

std::string shortfallText(const Scenario& scenario, std::size_t index, const NodeEvaluation& result) {
    const auto& node = scenario.nodes[index];
    const auto& shortfall = *result.shortfall;
    std::string text = node.shownName() + " needs " + gigabytes(shortfall.needed) + " of " +
                       std::string(tierLabel(shortfall.tier)) + " for " + std::string(shortfall.what);
    if (!result.offload.active)
        text += " (" + gigabytes(result.weightBytes) + " and " + gigabytes(result.kvBytes) + ")";
    text += " but has " + gigabytes(shortfall.available) +
            (shortfall.tier == Tier::Host ? " of it to use" : "") +
            ". Shrink the batch, the context or the model, or use ";
    switch (shortfall.tier) {
    case Tier::Device:
        if (result.offload.active)
            return text + "an accelerator with more memory.";
        if (tensorParallel(node) > 1.0 || node.count.value > 1.0)
            return text +
                   "a larger device; or let more devices share one copy of the model (fewer replicas).";
        return text + "a larger device, or several that share one copy of the model (set replicas).";
    case Tier::Host:
        return text + "more host memory; or choose a runtime that reads from storage.";
    case Tier::Storage:
        return text + "more SSDs or CSDs.";
    }
    return text;
}

} // namespace heteroscape::engine
