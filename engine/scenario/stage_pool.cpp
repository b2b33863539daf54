// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/stage_pool.h"

#include "engine/scenario/link_graph.h"
#include "engine/scenario/split_pool.h"
#include "engine/scenario/technique.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

bool takesStages(const Node& node) {
    return isAccelerator(node.device.kind) && node.role != Role::Fabric && !splitsLayers(node) &&
           node.runtime;
}

} // namespace

bool isLaterStage(const Scenario& scenario, const Node& node) {
    if (!scenario.techniques.isOn(stagesOnNodes()) || !takesStages(node))
        return false;
    for (const auto& other : scenario.nodes) {
        if (&other == &node)
            return false;
        if (takesStages(other))
            return true;
    }
    return false;
}

std::vector<StageNode> stagePoolOf(const Scenario& scenario) {
    std::vector<StageNode> pool;
    if (!scenario.techniques.isOn(stagesOnNodes()))
        return pool;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (takesStages(scenario.nodes[i]))
            pool.push_back({i, 0.0, {}});
    if (pool.size() < 2)
        return {};
    // Whole layers by devices, the last takes what is left.
    const double all = scenario.model.layers.value;
    const auto& told = scenario.techniques[stagesOnNodes()].quantity(kFirstLayers);
    double left = all;
    double devices = 0.0;
    for (const auto& stage : pool)
        devices += tensorParallel(scenario.nodes[stage.node]);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double own = tensorParallel(scenario.nodes[pool[i].node]);
        const double still = static_cast<double>(pool.size() - 1 - i); // one layer at least for each
        const double wanted = i == 0 && told.isSet() ? told.value : std::round(left * own / devices);
        pool[i].layers = still > 0.0 ? std::clamp(wanted, 1.0, std::max(1.0, left - still)) : left;
        left -= pool[i].layers;
        devices -= own;
    }
    LinkGraph graph;
    graph.reset(scenario);
    for (std::size_t i = 0; i < pool.size(); ++i)
        pool[i].links =
            wayOver(graph, pool[i].node,
                    [next = pool[(i + 1) % pool.size()].node](std::size_t end) { return end == next; });
    return pool;
}

std::size_t leaderOf(const Scenario& scenario, std::size_t node) {
    const auto& at = scenario.nodes[node];
    if (const auto pool = splitPoolOf(scenario, at))
        return pool->attention;
    return isLaterStage(scenario, at) ? stagePoolOf(scenario).front().node : node;
}

} // namespace heteroscape::engine
