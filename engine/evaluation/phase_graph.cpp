// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/phase_graph.h"

#include "engine/schedule/step.h"
#include "engine/techniques/apply.h"

#include <algorithm>
#include <cmath>

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

StepShape phaseShape(const Scenario& scenario, const Node& node, Phase phase) {
    const auto& workload = scenario.workload;
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? workload.promptTokens.value : 1.0;
    shape.batch = workload.batch.value;
    shape.maxTokens = workload.promptTokens.value + workload.outputTokens.value;
    shape.devices = tensorParallel(node);
    shape.style = node.runtime->operators;
    return shape;
}

OperatorGraph phaseGraph(const Scenario& scenario, const Node& node, Phase phase) {
    return {scenario.model, phaseShape(scenario, node, phase)};
}

namespace {

/// Seconds that one copy of the model takes for one batch, of the phases that the node runs.
double batchSeconds(const Scenario& scenario, const Node& node, const Machine& machine,
                    const Offloading& offloading) {
    const auto role = effectiveRole(scenario, node);
    const double prompt = scenario.workload.promptTokens.value;
    const double output = scenario.workload.outputTokens.value;
    double seconds = 0.0;
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const bool prefill = phase == Phase::Prefill;
        if (role == (prefill ? Role::Decode : Role::Prefill))
            continue;
        auto graph = phaseGraph(scenario, node, phase);
        applyTechniques(graph, scenario, node, phase);
        const Step step(graph, machine, phase, &offloading.flows(phase));
        seconds += prefill ? step.cost(prompt, prompt).at(prompt)
                           : step.cost(prompt + 1.0, prompt + output).sumOverDecode(prompt, output);
    }
    return seconds;
}

} // namespace

std::optional<Offloading> offloadingOf(const Scenario& scenario, const Node& node, const Machine& machine) {
    if (!offloads(node))
        return std::nullopt;
    thread_local TierMap map; // keeps its storage
    map.reset(scenario);
    return offloadingOf(scenario, node, machine, map);
}

std::optional<Offloading> offloadingOf(const Scenario& scenario, const Node& node, const Machine& machine,
                                       TierMap& map) {
    if (!offloads(node))
        return std::nullopt;
    const auto index = static_cast<std::size_t>(&node - scenario.nodes.data());
    const double all = replicas(node);
    auto best = offloadingOf(scenario, index, machine, 1.0, map);
    if (all <= 1.0)
        return best;
    constexpr double kTriedOneByOne = 64.0;
    const auto rate = [&](const Offloading& tried) {
        return tried.plan.shortfall ? 0.0 : tried.copies / batchSeconds(scenario, node, machine, tried);
    };
    double highest = rate(best);
    for (double copies = 2.0; copies <= all;) {
        const auto tried = offloadingOf(scenario, index, machine, copies, map);
        if (const double here = rate(tried); here > highest) {
            highest = here;
            best = tried;
        }
        const double next = copies < kTriedOneByOne ? copies + 1.0 : std::ceil(copies * 1.25);
        copies = copies < all ? std::min(next, all) : next;
    }
    return best;
}

double representativeKeys(const Workload& workload, Phase phase) {
    const double prompt = workload.promptTokens.value;
    return phase == Phase::Prefill ? prompt : prompt + 0.5 * (workload.outputTokens.value + 1.0);
}

} // namespace heteroscape::engine
