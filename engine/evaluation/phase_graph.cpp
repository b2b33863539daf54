// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/phase_graph.h"

#include "engine/techniques/load_merging.h"

namespace heteroscape::engine {

OperatorGraph phaseGraph(const Scenario& scenario, Phase phase) {
    const double query = phase == Phase::Prefill ? scenario.workload.promptTokens.value : 1.0;
    return OperatorGraph(scenario.model, query, scenario.workload.batch.value);
}

void applyTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node, Phase phase) {
    const auto& merging = scenario.techniques.loadMerging;
    const bool merges = merging.enabled && node.runtime->mergesLoads && phase == Phase::Decode;
    mergeLoads(graph, merges ? merging.ratio.value : 1.0);
}

double representativeKeys(const Workload& workload, Phase phase) {
    const double prompt = workload.promptTokens.value;
    return phase == Phase::Prefill ? prompt : prompt + 0.5 * (workload.outputTokens.value + 1.0);
}

} // namespace heteroscape::engine
