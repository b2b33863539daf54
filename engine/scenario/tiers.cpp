// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/tiers.h"

#include <algorithm>
#include <limits>

namespace heteroscape::engine {

namespace {

std::size_t indexOf(const Scenario& scenario, const NodeId& id) {
    return static_cast<std::size_t>(scenario.findNode(id) - scenario.nodes.data());
}

} // namespace

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

/// Everything that can be reached from a node without passing through another accelerator.
void TierMap::visitFrom(const Scenario& scenario, std::size_t start) {
    m_seen.assign(scenario.nodes.size(), 0);
    m_visits.assign(1, {start, Tiers::kNone, Tiers::kNone});
    m_seen[start] = 1;
    for (std::size_t head = 0; head < m_visits.size(); ++head) {
        const auto at = m_visits[head].node;
        if (head > 0 && !isFabric(scenario.nodes[at].device.kind))
            continue; // accelerators and storage pass nothing on
        const auto& id = scenario.nodes[at].id;
        for (std::size_t l = 0; l < scenario.links.size(); ++l) {
            const auto& link = scenario.links[l];
            if (link.from != id && link.to != id)
                continue;
            const auto next = indexOf(scenario, link.from == id ? link.to : link.from);
            if (m_seen[next])
                continue;
            m_seen[next] = 1;
            m_visits.push_back({next, l, head});
        }
    }
}

std::size_t TierMap::hostOf(const Scenario& scenario, std::size_t node) {
    visitFrom(scenario, node);
    m_deviceLinks.clear();
    for (std::size_t v = 1; v < m_visits.size(); ++v) {
        if (scenario.nodes[m_visits[v].node].device.kind != DeviceKind::Cpu)
            continue;
        for (auto at = v; at != 0; at = m_visits[at].parent)
            m_deviceLinks.push_back(m_visits[at].link);
        return m_visits[v].node;
    }
    return Tiers::kNone;
}

template <class Rate>
double TierMap::flow(const Scenario& scenario, Rate rate, std::vector<double>* shares) {
    m_flow.assign(m_visits.size(), 0.0);
    for (std::size_t v = m_visits.size(); v-- > 0;) {
        const auto& visit = m_visits[v];
        const auto& node = scenario.nodes[visit.node];
        if (isStorage(node.device.kind))
            m_flow[v] += node.count.value * rate(node.device);
        if (v == 0)
            break;
        const auto& link = scenario.links[visit.link];
        m_flow[v] = std::min(m_flow[v], link.type.bandwidth.value * parallelLinks(scenario, link));
        m_flow[visit.parent] += m_flow[v];
    }
    if (shares) {
        shares->assign(scenario.links.size(), 0.0);
        for (std::size_t v = 1; v < m_visits.size(); ++v) {
            // What a link above cuts off is cut from all below it in proportion.
            const auto& visit = m_visits[v];
            const double above = visit.parent == 0 ? 1.0 : (*shares)[m_visits[visit.parent].link];
            double siblings = 0.0;
            for (std::size_t w = 1; w < m_visits.size(); ++w)
                if (m_visits[w].parent == visit.parent)
                    siblings += m_flow[w];
            (*shares)[visit.link] = siblings > 0.0 ? above * m_flow[v] / siblings : 0.0;
        }
    }
    return m_flow[0];
}

StorageTier TierMap::storageTier(const Scenario& scenario, bool nearOnly) {
    StorageTier tier;
    const auto counts = [&](const Device& device) { return !nearOnly || device.kind == DeviceKind::Csd; };
    double devicesRead = 0.0;
    for (const auto& visit : m_visits) {
        const auto& node = scenario.nodes[visit.node];
        if (!isStorage(node.device.kind) || !counts(node.device))
            continue;
        tier.devices += node.count.value;
        tier.capacity += node.count.value * node.device.memoryCapacity.value / m_tiers.copies;
        devicesRead += node.count.value * node.device.memoryBandwidth.value;
    }
    const double copies = m_tiers.copies;
    const double link = flow(
        scenario, [&](const Device& d) { return counts(d) ? std::numeric_limits<double>::infinity() : 0.0; },
        nullptr);
    const double write = flow(
        scenario, [&](const Device& d) { return counts(d) ? d.writeBandwidth.value : 0.0; }, nullptr);
    const double read = flow(
        scenario, [&](const Device& d) { return counts(d) ? d.memoryBandwidth.value : 0.0; },
        nearOnly ? &m_nearShare : &m_share);
    tier.link = link / copies;
    tier.write = write / copies;
    tier.read = read / copies;
    tier.linkLimited = read < devicesRead * (1.0 - 1e-12);
    return tier;
}

const Tiers& TierMap::find(const Scenario& scenario, std::size_t index, double working) {
    m_tiers = {};
    m_storage.clear();
    m_share.assign(scenario.links.size(), 0.0);
    m_nearShare.assign(scenario.links.size(), 0.0);
    double copies = 0.0;
    const auto host = hostOf(scenario, index);
    if (host == Tiers::kNone)
        return m_tiers;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (offloads(scenario.nodes[i]) && (i == index || hostOf(scenario, i) == host))
            copies += i == index && working > 0.0 ? working : replicas(scenario.nodes[i]);
    hostOf(scenario, index); // for its links
    m_tiers.host = host;
    m_tiers.copies = std::max(1.0, copies);
    const auto& node = scenario.nodes[index];
    m_tiers.deviceLink = std::numeric_limits<double>::infinity();
    for (const auto l : m_deviceLinks) {
        const auto& link = scenario.links[l];
        const double each = parallelLinks(scenario, link) / node.count.value;
        m_tiers.deviceLink = std::min(m_tiers.deviceLink, link.type.bandwidth.value * std::min(1.0, each));
    }
    const auto& cpu = scenario.nodes[host];
    m_tiers.hostMemory = cpu.count.value * cpu.device.hostMemory.value / m_tiers.copies;
    m_tiers.hostBandwidth = cpu.count.value * cpu.device.memoryBandwidth.value / m_tiers.copies;
    visitFrom(scenario, host);
    for (const auto& visit : m_visits)
        if (isStorage(scenario.nodes[visit.node].device.kind))
            m_storage.push_back(visit.node);
    m_tiers.storage = storageTier(scenario, false);
    m_tiers.near = storageTier(scenario, true);
    return m_tiers;
}

} // namespace heteroscape::engine
