// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/apply.h"

#include "engine/scenario/tiers.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/load_merging.h"
#include "engine/techniques/offload_attention.h"

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
