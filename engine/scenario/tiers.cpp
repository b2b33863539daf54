// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/tiers.h"

#include <algorithm>
#include <limits>

namespace heteroscape::engine {

std::string_view tierName(Tier tier) {
    constexpr std::array<std::string_view, kTierCount> names{"device", "host", "storage"};
    return names[static_cast<std::size_t>(tier)];
}

std::string_view tierLabel(Tier tier) {
    constexpr std::array<std::string_view, kTierCount> labels{"device memory", "host memory", "storage"};
    return labels[static_cast<std::size_t>(tier)];
}

bool offloads(const Node& node) {
    return isAccelerator(node.device.kind) && node.role != Role::Fabric && node.runtime &&
           node.runtime->offload;
}

namespace {

bool counts(const Node& node, bool nearOnly) {
    return !nearOnly || attendsNearStorage(node);
}

/// What all devices of a reached node read, if nothing holds them up.
double devicesRead(const Scenario& scenario, std::span<const std::size_t> storage, bool nearOnly) {
    double sum = 0.0;
    for (const auto s : storage)
        if (const auto& node = scenario.nodes[s]; counts(node, nearOnly))
            sum += node.count.value * node.device.memoryBandwidth.value;
    return sum;
}

bool isCutByLinks(double read, double devices) {
    return read < devices * (1.0 - 1e-12);
}

} // namespace

void TierMap::reset(const Scenario& scenario) {
    m_links.reset(scenario);
    m_hosts.assign(scenario.nodes.size(), scenario.nodes.size());
    m_knownCount = 0;
    m_below = nullptr;
}

std::size_t TierMap::hostOf(const Scenario& scenario, std::size_t node) {
    auto& host = m_hosts[node];
    if (host != m_hosts.size())
        return host;
    host = Tiers::kNone;
    m_links.forEachReached(node, [&](std::size_t reached) {
        if (scenario.nodes[reached].device.kind == DeviceKind::Cpu)
            host = reached;
        return host != Tiers::kNone;
    });
    return host;
}

/// From all storage below the host to it; rate(node) is what one device can send.
template <class Rate>
double TierMap::flow(const Scenario& scenario, const BelowHost& below, Rate rate) {
    m_supply.assign(scenario.nodes.size(), 0.0);
    for (const auto s : below.storage)
        m_supply[s] = scenario.nodes[s].count.value * rate(scenario.nodes[s]);
    return m_links.solve(m_supply, below.host);
}

void TierMap::setShares(double total, std::vector<double>& shares) const {
    for (std::size_t l = 0; l < shares.size(); ++l)
        shares[l] = total > 0.0 ? m_links.onLink(l) / total : 0.0;
}

void TierMap::findExchange(const Scenario& scenario, const BelowHost& below, bool nearOnly,
                           Exchange& exchange) {
    exchange.link = exchange.write = exchange.read = 0.0;
    exchange.share.assign(scenario.links.size(), 0.0);
    const double devices = devicesRead(scenario, below.storage, nearOnly);
    if (std::none_of(below.storage.begin(), below.storage.end(),
                     [&](std::size_t s) { return counts(scenario.nodes[s], nearOnly); }))
        return;
    constexpr double endless = std::numeric_limits<double>::infinity();
    exchange.link =
        flow(scenario, below, [&](const Node& node) { return counts(node, nearOnly) ? endless : 0.0; });
    exchange.write = flow(scenario, below, [&](const Node& node) {
        return counts(node, nearOnly) ? node.device.writeBandwidth.value : 0.0;
    });
    exchange.read = flow(scenario, below, [&](const Node& node) {
        return counts(node, nearOnly) ? node.device.memoryBandwidth.value : 0.0;
    });
    setShares(exchange.read, exchange.share);
    if (isCutByLinks(exchange.read, devices))
        shareEvenly(scenario, below, nearOnly, exchange);
}

/// Cut by the links: all storage gives the same part of what it alone could send, if the links can carry
/// that.
void TierMap::shareEvenly(const Scenario& scenario, const BelowHost& below, bool nearOnly,
                          Exchange& exchange) {
    m_alone.assign(scenario.nodes.size(), 0.0);
    double sum = 0.0;
    for (const auto s : below.storage) {
        const auto& node = scenario.nodes[s];
        if (!counts(node, nearOnly))
            continue;
        m_supply.assign(scenario.nodes.size(), 0.0);
        m_supply[s] = node.count.value * node.device.memoryBandwidth.value;
        sum += m_alone[s] = m_links.solve(m_supply, below.host);
    }
    for (auto& rate : m_alone)
        rate *= exchange.read / sum;
    const double even = m_links.solve(m_alone, below.host);
    if (even >= exchange.read * (1.0 - 1e-9))
        setShares(even, exchange.share);
}

TierMap::BelowHost& TierMap::below(const Scenario& scenario, std::size_t host) {
    for (std::size_t i = 0; i < m_knownCount; ++i)
        if (m_known[i]->host == host)
            return *m_known[i];
    if (m_knownCount == m_known.size())
        m_known.push_back(std::make_unique<BelowHost>());
    auto& below = *m_known[m_knownCount++];
    below.host = host;
    below.storage.clear();
    m_links.forEachReached(host, [&](std::size_t reached) {
        if (isStorage(scenario.nodes[reached].device.kind))
            below.storage.push_back(reached);
        return false;
    });
    findExchange(scenario, below, false, below.all);
    findExchange(scenario, below, true, below.near);
    return below;
}

StorageTier TierMap::storageTier(const Scenario& scenario, bool nearOnly) const {
    const double activeReplicas = m_tiers.activeReplicas;
    StorageTier tier;
    for (const auto s : m_below->storage) {
        const auto& node = scenario.nodes[s];
        if (!counts(node, nearOnly))
            continue;
        tier.devices += node.count.value;
        tier.capacity += node.count.value * node.device.memoryCapacity.value / activeReplicas;
    }
    if (tier.devices == 0.0)
        return tier;
    const auto& exchange = nearOnly ? m_below->near : m_below->all;
    tier.link = exchange.link / activeReplicas;
    tier.write = exchange.write / activeReplicas;
    tier.read = exchange.read / activeReplicas;
    tier.linkLimited = isCutByLinks(exchange.read, devicesRead(scenario, m_below->storage, nearOnly));
    return tier;
}

void TierMap::findDeviceLink(const Scenario& scenario, std::size_t index) {
    m_supply.assign(scenario.nodes.size(), 0.0);
    m_supply[index] = std::numeric_limits<double>::infinity();
    const double all = m_links.solve(m_supply, m_tiers.host);
    m_tiers.deviceLink = all / scenario.nodes[index].count.value;
    setShares(all, m_deviceShare);
}

const Tiers& TierMap::find(const Scenario& scenario, std::size_t index, double working) {
    reset(scenario);
    return at(scenario, index, working);
}

const Tiers& TierMap::at(const Scenario& scenario, std::size_t index, double working) {
    m_tiers = {};
    m_below = nullptr;
    m_deviceShare.assign(scenario.links.size(), 0.0);
    const auto host = hostOf(scenario, index);
    if (host == Tiers::kNone)
        return m_tiers;
    double activeReplicas = 0.0;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (offloads(scenario.nodes[i]) && (i == index || hostOf(scenario, i) == host))
            activeReplicas += i == index && working > 0.0 ? working : replicas(scenario.nodes[i]);
    m_tiers.host = host;
    m_tiers.activeReplicas = std::max(1.0, activeReplicas);
    const auto& cpu = scenario.nodes[host];
    m_tiers.hostMemory = cpu.count.value * cpu.device.hostMemory.value / m_tiers.activeReplicas;
    m_tiers.hostBandwidth = cpu.count.value * cpu.device.memoryBandwidth.value / m_tiers.activeReplicas;
    m_below = &below(scenario, host);
    findDeviceLink(scenario, index);
    m_tiers.storage = storageTier(scenario, false);
    m_tiers.near = storageTier(scenario, true);
    return m_tiers;
}

} // namespace heteroscape::engine
