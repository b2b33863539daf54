// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/split_pool.h"

#include "engine/scenario/link_graph.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr auto kNowhere = static_cast<std::size_t>(-1);

bool takesNetworks(const Node& node) {
    return splitsLayers(node) && node.role == Role::Ffn && node.runtime;
}

/// The nearest node for networks that is not taken, and the links to it; breadth first.
std::optional<SplitPool> nearest(const Scenario& scenario, const LinkGraph& graph, std::size_t start,
                                 const std::vector<char>& taken) {
    std::vector<std::size_t> arrivedBy(graph.nodeCount(), kNowhere);
    std::vector<std::size_t> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const auto at = queue[head];
        if (at != start && takesNetworks(scenario.nodes[at]) && taken[at] == 0) {
            SplitPool pool{start, at, {}};
            for (auto back = at; back != start; back = graph.otherEnd(arrivedBy[back], back))
                pool.links.push_back(arrivedBy[back]);
            std::reverse(pool.links.begin(), pool.links.end());
            return pool;
        }
        if (at != start && !graph.passesOn(at))
            continue;
        for (const auto link : graph.linksOf(at))
            if (const auto next = graph.otherEnd(link, at); next != start && arrivedBy[next] == kNowhere) {
                arrivedBy[next] = link;
                queue.push_back(next);
            }
    }
    return std::nullopt;
}

} // namespace

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
        auto pool = nearest(scenario, graph, i, taken);
        if (pool && (i == asked || pool->ffn == asked))
            return pool;
        if (pool)
            taken[pool->ffn] = 1;
        else if (i == asked)
            return std::nullopt;
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
