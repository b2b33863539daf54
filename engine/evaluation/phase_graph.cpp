// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/phase_graph.h"

#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/load_merging.h"
#include "engine/techniques/offload_attention.h"

namespace heteroscape::engine {

Machine machineOf(const Scenario& scenario, const Node& node) {
    Collective collective;
    collective.devices = tensorParallel(node);
    collective.convention = node.runtime->allReduce;
    if (collective.devices > 1.0)
        if (const auto* link = collectiveLink(scenario, node)) {
            collective.bandwidth = link->type.bandwidth.value;
            collective.latency = link->type.latency.value;
        }
    return {node.device, *node.runtime, collective};
}

OperatorGraph phaseGraph(const Scenario& scenario, const Node& node, Phase phase) {
    const auto& workload = scenario.workload;
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? workload.promptTokens.value : 1.0;
    shape.batch = workload.batch.value;
    shape.maxTokens = workload.promptTokens.value + workload.outputTokens.value;
    shape.devices = tensorParallel(node);
    shape.style = node.runtime->operators;
    return {scenario.model, shape};
}

std::optional<Offloading> offloadingOf(const Scenario& scenario, const Node& node, const Machine& machine) {
    if (!offloads(node))
        return std::nullopt;
    thread_local TierMap map; // keeps its storage
    return offloadingOf(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()), machine, map);
}

void applyTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node, Phase phase) {
    if (phase == Phase::Decode && offloads(node))
        offloadAttention(graph);
    const auto& merging = scenario.techniques.loadMerging;
    const bool merges = merging.enabled && node.runtime->mergesLoads && phase == Phase::Decode;
    mergeLoads(graph, merges ? merging.ratio.value : 1.0);
    const auto& prefetch = scenario.techniques.l2Prefetch;
    if (prefetch.enabled && canPrefetch(node))
        insertPrefetches(graph, {node.device.l2Capacity.value * prefetch.budget.value,
                                 node.runtime->weightBits.value / 8.0, node.runtime->kvBits.value / 8.0,
                                 prefetch.weights, prefetch.kv});
}

double representativeKeys(const Workload& workload, Phase phase) {
    const double prompt = workload.promptTokens.value;
    return phase == Phase::Prefill ? prompt : prompt + 0.5 * (workload.outputTokens.value + 1.0);
}

} // namespace heteroscape::engine
