// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/memory_plan.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr double kScoreBytes = 2.0; // FP16

void placeWeights(MemoryPlan& plan, const Runtime& runtime, double deviceMemory, double hostMemory) {
    const auto& figures = runtime.offload.settings;
    const double forced = figures.figure(OffloadKind::kWeightsOnStorage).valueOr(0.0);
    const double beside = runtime.offload.rules().kvOnDevice ? plan.kv : 0.0;
    const double room = std::max(0.0, hostMemory - plan.staging);
    if (forced == 0.0 && plan.weights + beside + figures[OffloadKind::kDeviceReserve] <= deviceMemory) {
        plan.weightsDevice = plan.weights;
        plan.usable = figures[OffloadKind::kHostMemoryShare] * room;
        return;
    }
    plan.weightsHost = std::min((1.0 - forced) * plan.weights, room);
    plan.weightsStorage = plan.weights - plan.weightsHost;
    plan.usable = figures[OffloadKind::kHostMemoryShare] * (room - plan.weightsHost);
}

} // namespace

MemoryPlan planMemory(const Model& model, const Workload& workload, const Machine& machine,
                      const Device& device, double devices, const Tiers& tiers) {
    const auto& runtime = *machine.runtime;
    const double layers = model.layers.value;
    const double batch = workload.batch.value;
    const double prompt = workload.promptTokens.value;
    const double tokens = batch * (prompt + workload.outputTokens.value);
    const auto& figures = runtime.offload.settings;
    const double weightBytes =
        machine.weightBytes * runtime.decode.kind->weightOverhead(runtime.decode.settings);
    const double deviceMemory = devices * device.memoryCapacity.value;

    MemoryPlan plan;
    plan.weights = model.parameters() * weightBytes;
    plan.layerWeights = (model.parameters() - model.outerParameters()) * weightBytes / layers;
    plan.kvToken = 2.0 * model.kvWidth() * machine.kvBytes;
    plan.kv = tokens * layers * plan.kvToken;
    plan.xToken = model.hidden.value * machine.activationBytes;
    plan.x = tokens * layers * plan.xToken;
    plan.staging =
        figures[OffloadKind::kStagingLayers] * tokens * plan.kvToken + figures[OffloadKind::kHostReserve];
    placeWeights(plan, runtime, deviceMemory, tiers.hostMemory);

    const auto fail = [&](Tier tier, double needed, double available, std::string_view what) {
        if (!plan.shortfall && needed > available)
            plan.shortfall = {tier, needed, available, what};
    };
    const double scores = kScoreBytes * batch * model.heads.value * prompt * prompt;
    if (runtime.offload.rules().kvOnDevice)
        fail(Tier::Device, plan.kv + plan.layerWeights, deviceMemory,
             "KV cache and the weights of one layer");
    fail(Tier::Device, plan.layerWeights, deviceMemory, "weights of one layer");
    if (runtime.holdsScores)
        fail(Tier::Device, scores, deviceMemory, "attention scores of the prefill");
    if (runtime.offload.rules().kvFitsHost)
        fail(Tier::Host, plan.kv, plan.usable, "KV cache");
    if (tiers.storage.devices == 0.0 && plan.weightsStorage > 0.0)
        fail(Tier::Host, plan.weights + plan.staging, tiers.hostMemory, "weights and buffers");
    return plan;
}

} // namespace heteroscape::engine
