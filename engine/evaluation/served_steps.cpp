// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/service_tables.h"

#include "engine/schedule/kv_transfer.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// A parameter of servers; what the chosen batching does not know is not set.
double told(const Serving& serving, std::string_view key, double otherwise) {
    return serving.batching->indexOf(key) >= 0 ? serving[key].valueOr(otherwise) : otherwise;
}

ServerSettings settingsOf(const Scenario& scenario, const Node& node, const ServingPool& pool, bool split) {
    const auto& serving = scenario.serving;
    ServerSettings settings;
    settings.rule = pool.countsGroups ? &staticRule() : serving.batching->stepRule();
    settings.ranks = std::max(1.0, layoutOf(node).dp);
    settings.budget = told(serving, "budget_tokens", settings.budget);
    const double batch = std::ceil(pool.batch / settings.ranks);
    settings.sequences = pool.countsGroups ? batch : told(serving, "max_sequences", batch);
    settings.reserve = told(serving, "kv_reserve", 1.0);
    settings.look = told(serving, "look_steps", 1.0);
    settings.waitShare = told(serving, "wait_share", 0.0);
    settings.waitSteps = told(serving, "wait_steps", 0.0);
    settings.balance = settings.ranks > 1.0 ? told(serving, "balance_steps", 0.0) : 0.0;
    settings.kvTokens = pool.memory / settings.ranks;
    if (node.server) {
        settings.request = (split ? node.server->requestApart : node.server->request).value;
        if (!split) {
            settings.token = node.server->token.value;
            settings.frontRequest = node.server->frontRequest.value;
            settings.frontToken = node.server->frontToken.value;
        }
    }
    settings.block = told(serving, "kv_block_tokens", 0.0);
    if (settings.block > 0.0) {
        const double swap = told(serving, "swap_gbps", 0.0);
        settings.eviction = swap > 0.0 ? Eviction::Swap : Eviction::Recompute;
        if (swap > 0.0)
            settings.swapToken = kvTokenBytes(scenario, node) / swap;
    }
    if (told(serving, "urgent_share", 0.0) > 0.0)
        settings.order = QueueOrder::Priority;
    else if (told(serving, "shortest_first", 0.0) > 0.0)
        settings.order = QueueOrder::ShortestFirst;
    return settings;
}

/// Requests/s of whole requests one by one; of a pool that decodes, the rate at which it decodes while it is
/// full.
double weightOf(const Workload& workload, const ServingPool& pool) {
    const double prompt = workload.promptTokens.value;
    const double output = workload.outputTokens.value;
    if (pool.role == Role::Prefill)
        return 1.0;
    if (pool.role == Role::Both)
        return 1.0 / (pool.times->prefill(1.0, prompt, output) +
                      pool.times->decode({1.0, prompt, prompt, output}, output));
    const auto& settings = pool.server;
    const double full = std::clamp(settings.kvTokens * settings.ranks / (prompt + output), 1.0,
                                   settings.sequences * settings.ranks);
    return pool.replicas * full / pool.times->decodeStep(full, prompt + 0.5 * output);
}

} // namespace

ServedAtOnce servedAtOnce(const Scenario& scenario, const CompiledPool& compiled, Role role) {
    const auto& node = compiled.node();
    if (!node.server || compiled.offloading() || !node.runtime->decode.kind->takesKernelConstants())
        return {};
    const auto& workload = scenario.workload;
    ServingPool pool;
    pool.batch = static_cast<std::uint32_t>(workload.batch.value);
    pool.memory = compiled.kvTokens();
    auto settings = settingsOf(scenario, node, pool, role != Role::Both);
    const auto most = [&] {
        return settings.atOnce(workload.promptTokens.value,
                               role == Role::Prefill ? 0.0 : workload.outputTokens.value);
    };
    const double requests = most();
    settings.kvTokens = kEndless;
    return {requests, requests < most()};
}

std::string setServers(const Scenario& scenario, std::span<const std::size_t> poolNodes,
                       ServingSystem& system) {
    const auto& serving = scenario.serving;
    system.users = serving.arrivals->users(serving);
    if (!serving.batching->isServer() && !(system.users.users > 0.0))
        return {};
    if (!serving.batching->stepRule())
        return "Users in a closed loop cannot be served by " + std::string(serving.batching->noun()) +
               ": choose another batching";
    const auto count = [&](Role role) {
        return static_cast<std::size_t>(
            std::count_if(system.pools.begin(), system.pools.end(),
                          [&](const ServingPool& pool) { return pool.role == role; }));
    };
    const bool split = count(Role::Both) < system.pools.size();
    if (split &&
        (count(Role::Both) > 0 || count(Role::Decode) == 0 || count(Role::Prefill) == 0 || system.assist))
        return "Steps of servers are split over prefill and decode pools, without pools of whole requests "
               "beside them and without GPU assist: change the roles, turn disaggregation off, or choose "
               "continuous or static batching";
    system.prefixHits = told(serving, "prefix_hit", 0.0);
    system.urgentShare = told(serving, "urgent_share", 0.0);
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
        auto& pool = system.pools[p];
        const auto& node = scenario.nodes[poolNodes[p]];
        pool.server = settingsOf(scenario, node, pool, split);
        if (count(pool.role) > 1) // else nothing is dealt out by it
            pool.weight = weightOf(scenario.workload, pool);
        if (!node.server)
            continue;
        for (std::size_t d = 0; d < system.pools.size(); ++d) {
            auto& route = system.routes[p * system.pools.size() + d];
            route.senderToken = route.bytesPerToken / (node.server->transferRate.value * layoutOf(node).tp);
            route.senderLatency = node.server->transferLatency.value;
        }
    }
    return {};
}

} // namespace heteroscape::engine
