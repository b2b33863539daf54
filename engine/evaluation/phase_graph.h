// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/scenario/scenario.h"
#include "engine/schedule/offloading.h"
#include "engine/timing/machine.h"

namespace heteroscape::engine {

/// One device of a node under the node's runtime, with the network of its pool. The node has a runtime.
Machine machineOf(const Scenario& scenario, const Node& node);

/// The graph of one step of a phase on one device of the node, before techniques: prefill takes the whole
/// prompt at once, decode one token.
OperatorGraph phaseGraph(const Scenario& scenario, const Node& node, Phase phase);
StepShape phaseShape(const Scenario& scenario, const Node& node, Phase phase);

/// What the node's runtime offloads, null when nothing. The node has a host. Of the node's replicas as many
/// work as give the highest rate: they share host and storage, so that more of them may be slower together.
/// Up to 64 every number is tried, then steps of a quarter and all.
std::optional<Offloading> offloadingOf(const Scenario& scenario, const Node& node, const Machine& machine);
/// The same with a map that was reset() to the scenario.
std::optional<Offloading> offloadingOf(const Scenario& scenario, const Node& node, const Machine& machine,
                                       TierMap& map);

/// The flows of a phase, null when nothing is offloaded.
inline const LayerFlows* flowsOf(const std::optional<Offloading>& offloading, Phase phase) {
    return offloading ? &offloading->flows(phase) : nullptr;
}

/// The context at which a phase is shown as one step: the prompt, or the mean of decode's contexts P+1 ..
/// P+D.
double representativeKeys(const Workload& workload, Phase phase);

} // namespace heteroscape::engine
