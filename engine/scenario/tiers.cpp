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
           node.runtime->offload != Offload::None;
}

std::size_t TierMap::hostOf(const Scenario& scenario, std::size_t node) {
    auto host = Tiers::kNone;
    m_links.forEachReached(node, [&](std::size_t reached) {
        if (scenario.nodes[reached].device.kind == DeviceKind::Cpu)
            host = reached;
        return host != Tiers::kNone;
    });
    return host;
}

/// From all storage that was reached to the host; rate(device) is what one device can send.
template <class Rate>
double TierMap::flow(const Scenario& scenario, Rate rate) {
    m_supply.assign(scenario.nodes.size(), 0.0);
    for (const auto s : m_storage) {
        const auto& node = scenario.nodes[s];
        m_supply[s] = node.count.value * rate(node);
    }
    return m_links.solve(m_supply, m_tiers.host);
}

void TierMap::setShares(double total, std::vector<double>& shares) const {
    for (std::size_t l = 0; l < shares.size(); ++l)
        shares[l] = total > 0.0 ? m_links.onLink(l) / total : 0.0;
}

StorageTier TierMap::storageTier(const Scenario& scenario, bool nearOnly) {
    const double copies = m_tiers.copies;
    const auto counts = [&](const Node& node) { return !nearOnly || attendsNearStorage(node); };
    StorageTier tier;
    double devicesRead = 0.0;
    for (const auto s : m_storage) {
        const auto& node = scenario.nodes[s];
        if (!counts(node))
            continue;
        tier.devices += node.count.value;
        tier.capacity += node.count.value * node.device.memoryCapacity.value / copies;
        devicesRead += node.count.value * node.device.memoryBandwidth.value;
    }
    if (tier.devices == 0.0)
        return tier;
    constexpr double endless = std::numeric_limits<double>::infinity();
    tier.link = flow(scenario, [&](const Node& n) { return counts(n) ? endless : 0.0; }) / copies;
    tier.write =
        flow(scenario, [&](const Node& n) { return counts(n) ? n.device.writeBandwidth.value : 0.0; }) /
        copies;
    const double read =
        flow(scenario, [&](const Node& n) { return counts(n) ? n.device.memoryBandwidth.value : 0.0; });
    tier.read = read / copies;
    tier.linkLimited = read < devicesRead * (1.0 - 1e-12);
    auto& shares = nearOnly ? m_nearShare : m_share;
    setShares(read, shares);
    if (tier.linkLimited)
        shareEvenly(scenario, read, counts, shares);
    return tier;
}

/// Cut by the links: all storage gives the same part of what it alone could send, if the links can carry
/// that.
template <class Counts>
void TierMap::shareEvenly(const Scenario& scenario, double read, Counts counts, std::vector<double>& shares) {
    m_alone.assign(scenario.nodes.size(), 0.0);
    double sum = 0.0;
    for (const auto s : m_storage) {
        const auto& node = scenario.nodes[s];
        if (!counts(node))
            continue;
        m_supply.assign(scenario.nodes.size(), 0.0);
        m_supply[s] = node.count.value * node.device.memoryBandwidth.value;
        sum += m_alone[s] = m_links.solve(m_supply, m_tiers.host);
    }
    for (auto& rate : m_alone)
        rate *= read / sum;
    const double even = m_links.solve(m_alone, m_tiers.host);
    if (even >= read * (1.0 - 1e-9))
        setShares(even, shares);
}

void TierMap::findDeviceLink(const Scenario& scenario, std::size_t index) {
    m_supply.assign(scenario.nodes.size(), 0.0);
    m_supply[index] = std::numeric_limits<double>::infinity();
    const double all = m_links.solve(m_supply, m_tiers.host);
    m_tiers.deviceLink = all / scenario.nodes[index].count.value;
    setShares(all, m_deviceShare);
}

const Tiers& TierMap::find(const Scenario& scenario, std::size_t index, double working) {
    m_tiers = {};
    m_storage.clear();
    m_share.assign(scenario.links.size(), 0.0);
    m_nearShare.assign(scenario.links.size(), 0.0);
    m_deviceShare.assign(scenario.links.size(), 0.0);
    m_links.reset(scenario);
    const auto host = hostOf(scenario, index);
    if (host == Tiers::kNone)
        return m_tiers;
    double copies = 0.0;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (offloads(scenario.nodes[i]) && (i == index || hostOf(scenario, i) == host))
            copies += i == index && working > 0.0 ? working : replicas(scenario.nodes[i]);
    m_tiers.host = host;
    m_tiers.copies = std::max(1.0, copies);
    const auto& cpu = scenario.nodes[host];
    m_tiers.hostMemory = cpu.count.value * cpu.device.hostMemory.value / m_tiers.copies;
    m_tiers.hostBandwidth = cpu.count.value * cpu.device.memoryBandwidth.value / m_tiers.copies;
    m_links.forEachReached(host, [&](std::size_t reached) {
        if (isStorage(scenario.nodes[reached].device.kind))
            m_storage.push_back(reached);
        return false;
    });
    findDeviceLink(scenario, index);
    m_tiers.storage = storageTier(scenario, false);
    m_tiers.near = storageTier(scenario, true);
    return m_tiers;
}

} // namespace heteroscape::engine
