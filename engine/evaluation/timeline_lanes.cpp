// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/timeline.h"
#include "engine/scenario/split_pool.h"
#include "engine/scenario/tiers.h"

#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kNoLink = static_cast<std::size_t>(-1);

std::string counted(const Node& node, double devices) {
    const auto count = std::lround(devices);
    return count > 1 ? std::to_string(count) + " \u00d7 " + node.shownName() : node.shownName();
}

/// "SmartSSD, 2 × NVMe SSD": of the nodes at these indices, CSDs alone where wanted.
std::string joinedNames(const Scenario& scenario, std::span<const std::size_t> nodes, bool nearOnly) {
    std::string text;
    for (const auto i : nodes)
        if (const auto& node = scenario.nodes[i]; !nearOnly || attendsNearStorage(node))
            text += (text.empty() ? "" : ", ") + counted(node, node.count.valueOr(1.0));
    return text;
}

/// The link that takes longest for its share of what crosses to storage.
std::size_t narrowest(const Scenario& scenario, const TierMap& map, bool nearOnly) {
    std::size_t found = kNoLink;
    double longest = 0.0;
    for (std::size_t i = 0; i < scenario.links.size(); ++i) {
        const auto& link = scenario.links[i];
        const double seconds =
            map.linkShare(i, nearOnly) / (link.type.bandwidth.value * parallelLinks(scenario, link));
        if (seconds > longest) {
            longest = seconds;
            found = i;
        }
    }
    return found;
}

std::string linkName(const Scenario& scenario, std::size_t link) {
    return link == kNoLink ? std::string() : scenario.links[link].type.name;
}

} // namespace

LaneNames laneNames(const Scenario& scenario, const Node& node) {
    LaneNames names;
    for (std::size_t i = 0; i < kLaneCount; ++i)
        names[i].title = laneLabel(static_cast<Lane>(i));
    if (const auto pool = splitPoolOf(scenario, node)) {
        const auto& other = scenario.nodes[pool->ffn];
        names[static_cast<std::size_t>(Lane::Ffn)].place = counted(other, tensorParallel(other));
        for (const auto lane : {Lane::ToFfn, Lane::FromFfn})
            names[static_cast<std::size_t>(lane)].place = linkName(scenario, pool->links.front());
    }
    if (!offloads(node))
        return names;
    const auto at = [&names](Lane lane) -> LaneName& { return names[static_cast<std::size_t>(lane)]; };
    at(Lane::Compute) = {std::string(deviceKindLabel(node.device.kind)), counted(node, tensorParallel(node))};
    TierMap map;
    const auto& tiers = map.find(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    // What several copies of the model share is divided evenly: rates are those of one copy.
    const auto shared = [&](const std::string& place) {
        return tiers.activeReplicas > 1.0 && !place.empty()
                   ? place + " for " + std::to_string(std::lround(tiers.activeReplicas)) + " copies"
                   : place;
    };
    if (tiers.host != Tiers::kNone) {
        const auto& host = scenario.nodes[tiers.host];
        at(Lane::Host).place = shared(counted(host, host.count.valueOr(1.0)));
    }
    std::size_t slowest = kNoLink;
    for (std::size_t i = 0; i < scenario.links.size(); ++i)
        if (map.deviceShare(i) > 0.0 &&
            (slowest == kNoLink ||
             scenario.links[i].type.bandwidth.value < scenario.links[slowest].type.bandwidth.value))
            slowest = i;
    at(Lane::Pcie).place = linkName(scenario, slowest);
    const bool near = tiers.near.devices > 0.0;
    at(Lane::Uplink).place = shared(linkName(scenario, narrowest(scenario, map, near)));
    at(Lane::Csd).place = shared(joinedNames(scenario, map.storageNodes(), true));
    at(Lane::Storage).place = shared(joinedNames(scenario, map.storageNodes(), false));
    at(Lane::StorageWrite).place = at(Lane::Storage).place;
    return names;
}

} // namespace heteroscape::engine
