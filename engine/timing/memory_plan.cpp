// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/memory_plan.h"

#include <algorithm>

namespace heteroscape::engine {

Affine NearStorageKernel::seconds(double bytesPerToken) const {
    // tokens x b (k + half) / (P2P k) with k = tokens x row: the half chunk's part does not grow.
    return {bytesPerToken * csd.p2pHalfChunk.value / (csd.p2pBandwidth.value * rowBytes),
            bytesPerToken * (1.0 / csd.p2pBandwidth.value + 1.0 / csd.kernelBandwidth.value)};
}

double NearStorageKernel::bytesPerSecond(double tokens) const {
    return tokens / seconds(1.0).at(tokens);
}

bool NearStorageKernel::pathLimits(double tokens) const {
    const double kernel = tokens / csd.kernelBandwidth.value;
    return seconds(1.0).at(tokens) - kernel > kernel;
}

namespace {

constexpr double kScoreBytes = 2.0; // FP16

/// What sizes are planned from.
struct PlanInput {
    const Model& model;
    const Workload& workload;
    const Machine& machine;
    const Device& device;
    double devices;
    const Tiers& tiers;
};

template <class V>
V bytes(const V& size, std::string_view name) {
    return Numbers<V>::named(size, name, measures::gigabytes);
}

template <class V>
void placeWeights(MemorySizesOf<V>& plan, const PlanInput& in) {
    using N = Numbers<V>;
    using std::max;
    using std::min;
    const auto& offload = in.machine.runtime->offload;
    const auto quantity = [&](std::size_t which) {
        return N::setting(*offload.kind, offload.settings, which);
    };
    const double forced = offload.settings.quantity(OffloadKind::kWeightsOnStorage).valueOr(0.0);
    const double beside = offload.rules().kvOnDevice ? valueOf(plan.kv) : 0.0;
    const V memory = N::counted("Host memory for one replica", in.tiers.hostMemory, measures::gigabytes,
                                "memory of the host, by the replicas that share it");
    const V room = bytes(max(N::leaf("Nothing", 0.0, measures::gigabytes, "no memory is left"),
                             bytes(memory - plan.staging, "Memory beside the buffers")),
                         "Host memory that is free");
    const double deviceMemory = in.devices * in.device.memoryCapacity.value;
    if (forced == 0.0 &&
        valueOf(plan.weights) + beside + offload.settings[OffloadKind::kDeviceReserve] <= deviceMemory) {
        plan.weightsDevice = plan.weights;
        plan.usable = bytes(quantity(OffloadKind::kHostMemoryShare) * room, "Usable for KV or X cache");
        return;
    }
    const V kept = N::counted("Share of the weights off storage", 1.0 - forced, measures::percent,
                              "what is not kept on storage in any case");
    plan.weightsHost =
        bytes(min(bytes(kept * plan.weights, "Weights for the host"), room), "Weights in host memory");
    plan.weightsStorage = bytes(plan.weights - plan.weightsHost, "Weights on storage");
    plan.usable = bytes(quantity(OffloadKind::kHostMemoryShare) *
                            bytes(room - plan.weightsHost, "Host memory that is left"),
                        "Usable for KV or X cache");
}

template <class V>
MemorySizesOf<V> sizesOf(const PlanInput& in) {
    using N = Numbers<V>;
    const auto& runtime = *in.machine.runtime;
    const auto counted = [](std::string_view name, double number, std::string_view source) {
        return N::counted(name, number, measures::count, source);
    };
    const auto element = [&](Quantity Runtime::*bits, std::string_view name) {
        return N::named(N::quantity(runtimeFields, runtime, bits) /
                            counted("Bits of a byte", 8.0, "definition"),
                        name, measures::bytes);
    };
    const V layers = N::quantity(modelFields, in.model, &Model::layers);
    const V tokens =
        N::named(N::quantity(workloadFields, in.workload, &Workload::batch) *
                     N::named(N::quantity(workloadFields, in.workload, &Workload::promptTokens) +
                                  N::quantity(workloadFields, in.workload, &Workload::outputTokens),
                              "Tokens of a request", measures::tokens),
                 "Tokens of a full batch", measures::tokens);
    const V weightBytes = N::named(element(&Runtime::weightBits, "Bytes of a weight") *
                                       counted("Stored for a byte of weights",
                                               runtime.decode.kind->weightOverhead(runtime.decode.settings),
                                               "meta-data of the timing model"),
                                   "Stored bytes of a weight", measures::bytes);
    const V parameters = counted("Parameters", in.model.parameters(), "widths and layers of the model");
    const V inLayers = counted("Parameters in layers", in.model.parameters() - in.model.outerParameters(),
                               "widths and layers of the model");
    const auto& offload = runtime.offload;
    const auto quantity = [&](std::size_t which) {
        return N::setting(*offload.kind, offload.settings, which);
    };
    const V pair = counted("K and V", 2.0, "definition");
    const V width = counted("Width of K", in.model.kvWidth(), "KV heads and their size");

    MemorySizesOf<V> plan;
    plan.weights = bytes(parameters * weightBytes, "Weights");
    plan.layerWeights =
        bytes(bytes(inLayers * weightBytes, "Weights of all layers") / layers, "Weights of one layer");
    plan.kvToken = N::named(pair * width * element(&Runtime::kvBits, "Bytes of a K or V element"),
                            "KV cache of a token and layer", measures::bytes);
    plan.kv = bytes(tokens * layers * plan.kvToken, "KV cache at its final length");
    plan.xToken = N::named(N::quantity(modelFields, in.model, &Model::hidden) *
                               element(&Runtime::activationBits, "Bytes of an activation"),
                           "X of a token and layer", measures::bytes);
    plan.x = bytes(tokens * layers * plan.xToken, "X cache, if all of it were kept");
    plan.staging =
        bytes(bytes(quantity(OffloadKind::kStagingLayers) * tokens * plan.kvToken, "Staged KV cache") +
                  quantity(OffloadKind::kHostReserve),
              "Buffers and reserve");
    placeWeights(plan, in);
    return plan;
}

} // namespace

MemoryPlan planMemory(const Model& model, const Workload& workload, const Machine& machine,
                      const Device& device, double devices, const Tiers& tiers) {
    const auto& runtime = *machine.runtime;
    const double batch = workload.batch.value;
    const double prompt = workload.promptTokens.value;
    const double deviceMemory = devices * device.memoryCapacity.value;

    MemoryPlan plan{sizesOf<double>({model, workload, machine, device, devices, tiers}), std::nullopt};

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

MemorySizesOf<Term> explainMemory(const Model& model, const Workload& workload, const Machine& machine,
                                  const Device& device, double devices, const Tiers& tiers) {
    return sizesOf<Term>({model, workload, machine, device, devices, tiers});
}

} // namespace heteroscape::engine
