// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/kv_transfer.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

/// How often the cache of a prompt lies on the receiver: latents, and KV heads fewer than its ranks, on each
/// rank that attends with them. Source: moe_parallel, sections 4.2 and 4.3.
double copiesAt(const Scenario& scenario, const Node& to) {
    const auto tp = layoutOf(to).tp;
    const double tokens = scenario.workload.promptTokens.value;
    const double element = to.runtime->kvBits.value / 8.0;
    const auto& model = scenario.model;
    return tp * model.cacheBytes(tokens, element, tp) / model.cacheBytes(tokens, element);
}

template <class V>
V layerBytes(const Scenario& scenario, const Node& to) {
    using N = Numbers<V>;
    if (!scenario.model.isUniform()) {
        const auto& model = scenario.model;
        const double request =
            model.cacheBytes(scenario.workload.promptTokens.value, to.runtime->kvBits.value / 8.0);
        return N::named(N::quantity(workloadFields, scenario.workload, &Workload::batch) *
                            N::counted("KV cache of a prompt", request, measures::megabytes,
                                       "attention groups of the model") *
                            N::counted("Copies of it on the receiver", copiesAt(scenario, to),
                                       measures::count, "ranks that attend with the same keys") /
                            N::quantity(modelFields, model, &Model::layers),
                        "KV cache of a mean layer", measures::megabytes);
    }
    const V bits =
        N::counted("K and V", 2.0, measures::count, "definition") *
        N::quantity(workloadFields, scenario.workload, &Workload::batch) *
        N::quantity(workloadFields, scenario.workload, &Workload::promptTokens) *
        N::counted("Width of K", scenario.model.kvWidth(), measures::count, "KV heads and their size") *
        N::quantity(runtimeFields, *to.runtime, &Runtime::kvBits);
    return N::named(N::named(bits, "Bits of a layer", measures::count) /
                        N::counted("Bits of a byte", 8.0, measures::count, "definition"),
                    "KV cache of a layer", measures::megabytes);
}

} // namespace

double kvTokenBytes(const Scenario& scenario, const Node& to) {
    if (!scenario.model.isUniform()) {
        const double tokens = scenario.workload.promptTokens.value;
        return scenario.model.cacheBytes(tokens, to.runtime->kvBits.value / 8.0) / tokens *
               copiesAt(scenario, to);
    }
    return scenario.model.layers.value * 2.0 * scenario.model.kvWidth() * to.runtime->kvBits.value / 8.0;
}

double promptKvLayerBytes(const Scenario& scenario, const Node& to) {
    return layerBytes<double>(scenario, to);
}

const Node* stagingNode(const Scenario& scenario, const Node& from, std::span<const std::size_t> path) {
    if (path.size() < 2)
        return nullptr;
    const auto& first = scenario.links[path.front()];
    const auto* keeper = scenario.findNode(first.from == from.id ? first.to : first.from);
    return isAccelerator(keeper->device.kind) ? nullptr : keeper;
}

std::size_t stagedLinks(const Scenario& scenario, const Node& from, const Node& to,
                        std::span<const std::size_t> path) {
    const auto* keeper = stagingNode(scenario, from, path);
    if (!keeper)
        return 0;
    const auto& memory = keeper->device.hostMemory;
    const double batch =
        scenario.workload.batch.value * scenario.workload.promptTokens.value * kvTokenBytes(scenario, to);
    return !memory.isSet() || batch <= memory.value * keeper->count.value ? 1 : 0;
}

bool receivesBeside(const Node& to) {
    return to.server.has_value();
}

double transferWidth(const Node& from, const Node& to) {
    return std::min(tensorParallel(from), tensorParallel(to));
}

KvTransfer promptTransfer(const Scenario& scenario, const Node& from, const Node& to) {
    return {scenario.model.layers.value, promptKvLayerBytes(scenario, to) / transferWidth(from, to)};
}

Term explainTransfer(const Scenario& scenario, const Node& from, const Node& to,
                     std::span<const HopOf<Term>> path, const Term& prefillSeconds) {
    const auto width = Term::counted("Devices side by side", transferWidth(from, to), measures::count,
                                     "those that share a replica, on the side with fewer");
    return explainExposed(Numbers<Term>::quantity(modelFields, scenario.model, &Model::layers),
                          (layerBytes<Term>(scenario, to) / width)
                              .named("Sent by each device for a layer", measures::megabytes),
                          path, prefillSeconds);
}

} // namespace heteroscape::engine
