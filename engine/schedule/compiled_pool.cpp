// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/compiled_pool.h"

#include "engine/operators/shard.h"
#include "engine/schedule/kv_transfer.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

TierMap mapOf(const Scenario& scenario) {
    TierMap map;
    map.reset(scenario);
    return map;
}

/// Adds what one layer's flows move in `steps` steps at a mean context of `keys`.
void addFlows(OffloadTraffic::Phase& out, const FlowChain& chain, bool near, double keys, double steps) {
    for (const auto& flow : chain.flows()) {
        const double bytes = steps * flow.bytes.at(keys);
        switch (flow.lane) {
        case Lane::Pcie:
            out.device += bytes;
            break;
        case Lane::Storage:
            out.storage += bytes;
            break;
        case Lane::Uplink:
            out.near += bytes;
            break;
        case Lane::StorageWrite:
            (near ? out.near : out.storage) += bytes;
            break;
        default:
            break;
        }
    }
}

} // namespace

CompiledPool::CompiledPool(const Scenario& scenario, std::size_t node, TierMap& map, double copies)
    : m_scenario(&scenario), m_index(node), m_machine(machineOf(scenario, scenario.nodes[node])) {
    if (!offloads(scenario.nodes[node]))
        return;
    if (copies > 0.0)
        m_offloading = offloadingOf(scenario, node, m_machine, copies, map);
    else
        chooseCopies(map);
}

CompiledPool::CompiledPool(const Scenario& scenario, std::size_t node)
    : m_scenario(&scenario), m_index(node), m_machine(machineOf(scenario, scenario.nodes[node])) {
    if (!offloads(scenario.nodes[node]))
        return;
    auto map = mapOf(scenario);
    chooseCopies(map);
}

/// Seconds that one copy of the model takes for one batch, of the phases that the node runs.
double CompiledPool::batchSeconds(const Offloading& offloading) const {
    const auto role = effectiveRole(*m_scenario, node());
    double seconds = 0.0;
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        if (role != (phase == Phase::Prefill ? Role::Decode : Role::Prefill))
            seconds += CompiledPhase(*m_scenario, node(), phase, m_machine, &offloading)
                           .totalSeconds(m_scenario->workload);
    return seconds;
}

void CompiledPool::chooseCopies(TierMap& map) {
    const double all = replicas(node());
    m_offloading = offloadingOf(*m_scenario, m_index, m_machine, 1.0, map);
    if (all <= 1.0)
        return;
    constexpr double kTriedOneByOne = 64.0;
    const auto rate = [&](const Offloading& tried) {
        return tried.plan.shortfall ? 0.0 : tried.copies / batchSeconds(tried);
    };
    double highest = rate(*m_offloading);
    for (double copies = 2.0; copies <= all;) {
        const auto tried = offloadingOf(*m_scenario, m_index, m_machine, copies, map);
        if (const double here = rate(tried); here > highest) {
            highest = here;
            m_offloading = tried;
        }
        const double next = copies < kTriedOneByOne ? copies + 1.0 : std::ceil(copies * 1.25);
        copies = copies < all ? std::min(next, all) : next;
    }
}

double CompiledPool::weightBytes() const {
    const auto& runtime = *node().runtime;
    return Shard(m_scenario->model, devices()).parameters(m_scenario->model) * runtime.weightBits.value /
           8.0 * runtime.decode.kind->weightOverhead(runtime.decode.settings);
}

double CompiledPool::kvTokenBytes() const {
    return Shard(m_scenario->model, devices()).kvElementsPerToken(m_scenario->model) *
           node().runtime->kvBits.value / 8.0;
}

double CompiledPool::kvBytes(double tokens) const {
    return m_scenario->workload.batch.value * tokens * kvTokenBytes();
}

double CompiledPool::kvTokens() const {
    return std::floor((node().device.memoryCapacity.value - weightBytes()) / kvTokenBytes());
}

void CompiledPool::addCollectiveTraffic(const Work& work, std::span<double> links) const {
    const auto* link = devices() > 1.0 ? collectiveLink(*m_scenario, node()) : nullptr;
    if (!link)
        return;
    const double bytes = work.prefillCollective * work.prefills +
                         work.decodeCollective * m_scenario->workload.outputTokens.value * work.decodes;
    links[static_cast<std::size_t>(link - m_scenario->links.data())] += bytes / replicas(node());
}

void CompiledPool::addOffloadTraffic(const Work& work, TierMap& map, std::span<double> links) const {
    const auto traffic = offloadTraffic();
    map.at(*m_scenario, m_index, copies());
    const double device = work.prefills * traffic.prefill.device + work.decodes * traffic.decode.device;
    const double storage = work.prefills * traffic.prefill.storage + work.decodes * traffic.decode.storage;
    const double near = work.prefills * traffic.prefill.near + work.decodes * traffic.decode.near;
    for (std::size_t l = 0; l < links.size(); ++l)
        links[l] += (device * map.deviceShare(l) + storage * map.linkShare(l, false) +
                     near * map.linkShare(l, true)) /
                    map.graph().parallel(l);
}

OffloadTraffic CompiledPool::offloadTraffic() const {
    const auto& workload = m_scenario->workload;
    const double layers = m_scenario->model.layers.value;
    const double mean = representativeKeys(workload, Phase::Decode);
    OffloadTraffic traffic;
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const auto& flows = m_offloading->flows(phase);
        const bool decode = phase == Phase::Decode;
        auto& out = decode ? traffic.decode : traffic.prefill;
        const double steps = layers * (decode ? workload.outputTokens.value : 1.0);
        addFlows(out, flows.serial, m_offloading->near, mean, steps);
        for (const auto& chain : flows.chains())
            addFlows(out, chain, m_offloading->near, mean, steps);
    }
    return traffic;
}

bool CompiledPool::sharesTiers(const CompiledPool& other) const {
    return m_offloading && other.m_offloading && m_offloading->tiers.host == other.m_offloading->tiers.host;
}

} // namespace heteroscape::engine
