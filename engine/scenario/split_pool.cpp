// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/split_pool.h"

#include "engine/scenario/link_flow.h"
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
    if (!scenario.techniques.isOn(pipelineOverNodes()) || !takesStages(node))
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
    if (!scenario.techniques.isOn(pipelineOverNodes()))
        return pool;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (takesStages(scenario.nodes[i]))
            pool.push_back({i, 0.0, {}});
    if (pool.size() < 2)
        return {};
    // Whole layers by devices, the last takes what is left.
    const double all = scenario.model.layers.value;
    const auto& told = scenario.techniques[pipelineOverNodes()].quantity(kFirstLayers);
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

namespace {

bool takesNetworks(const Node& node) {
    return splitsLayers(node) && node.role == Role::Ffn && node.runtime;
}

} // namespace

std::vector<std::size_t> wayOver(const LinkGraph& graph, std::size_t start,
                                 const std::function<bool(std::size_t)>& isEnd) {
    constexpr auto kNowhere = static_cast<std::size_t>(-1);
    std::vector<std::size_t> arrivedBy(graph.nodeCount(), kNowhere);
    std::vector<std::size_t> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const auto at = queue[head];
        if (at != start && isEnd(at)) {
            std::vector<std::size_t> way;
            for (auto back = at; back != start; back = graph.otherEnd(arrivedBy[back], back))
                way.push_back(arrivedBy[back]);
            std::reverse(way.begin(), way.end());
            return way;
        }
        if (at != start && !graph.passesOn(at))
            continue;
        for (const auto link : graph.linksOf(at))
            if (const auto next = graph.otherEnd(link, at); next != start && arrivedBy[next] == kNowhere) {
                arrivedBy[next] = link;
                queue.push_back(next);
            }
    }
    return {};
}

std::optional<SplitPool> splitPoolOf(const Scenario& scenario, const Node& node) {
    if (!splitsLayers(node))
        return std::nullopt;
    const auto asked = static_cast<std::size_t>(&node - scenario.nodes.data());
    LinkGraph graph;
    graph.reset(scenario);
    std::vector<char> taken(scenario.nodes.size(), 0);
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& at = scenario.nodes[i];
        if (!splitsLayers(at) || at.role != Role::Attention)
            continue;
        auto way = wayOver(
            graph, i, [&](std::size_t end) { return takesNetworks(scenario.nodes[end]) && taken[end] == 0; });
        if (way.empty())
            continue;
        auto end = i;
        for (const auto link : way)
            end = graph.otherEnd(link, end);
        if (i == asked || end == asked)
            return SplitPool{i, end, std::move(way)};
        taken[end] = 1;
    }
    return std::nullopt;
}

double splitLinkBytes(const Scenario& scenario, const SplitPool& pool, std::size_t link, double attention,
                      double ffn) {
    const double fromAttention = scenario.nodes[pool.attention].count.value * attention;
    const double fromFfn = scenario.nodes[pool.ffn].count.value * ffn;
    const bool first = link == pool.links.front();
    const bool last = link == pool.links.back();
    const double all = first && last ? std::max(fromAttention, fromFfn) : last ? fromFfn : fromAttention;
    return all / parallelLinks(scenario, scenario.links[link]);
}

} // namespace heteroscape::engine
