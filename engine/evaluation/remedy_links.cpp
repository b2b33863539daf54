// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/remedies.h"
#include "engine/scenario/link_flow.h"
#include "engine/scenario/tiers.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostTried = 4; ///< of nodes or devices of one kind
constexpr double kColumn = 344;       ///< px from node to node on the canvas
constexpr double kRow = 240;

/// Links are drawn away from accelerators, towards storage.
int order(DeviceKind kind) {
    if (isAccelerator(kind))
        return 0;
    return kind == DeviceKind::Cpu ? 1 : kind == DeviceKind::Switch ? 2 : 3;
}

double distance(const Node& a, const Node& b) {
    return std::hypot(a.position.x - b.position.x, a.position.y - b.position.y);
}

std::string named(const AddLink& link, const Node& to) {
    return "Link to " + to.shownName() + " over " + link.link->type.name;
}

/// The nearest first; at most kMostTried.
template <class Fits>
std::vector<const Node*> nearest(const Scenario& scenario, const Node& node, Fits fits) {
    std::vector<const Node*> found;
    for (const auto& other : scenario.nodes)
        if (other.id != node.id && fits(other))
            found.push_back(&other);
    std::stable_sort(found.begin(), found.end(),
                     [&](const Node* a, const Node* b) { return distance(node, *a) < distance(node, *b); });
    found.resize(std::min(found.size(), kMostTried));
    return found;
}

void addLinks(std::vector<Remedy>& out, const Scenario& scenario, const Catalog& catalog, const Node& node,
              const std::vector<const Node*>& others) {
    for (const auto* other : others)
        if (const auto link = usualLink(scenario, catalog, node, *other))
            out.push_back({named(*link, *other), *link});
}

Position freePosition(const Scenario& scenario, const Node& beside) {
    Position place{beside.position.x + kColumn, beside.position.y};
    const auto taken = [&place](const Node& node) {
        return std::abs(node.position.x - place.x) < kColumn - 100 &&
               std::abs(node.position.y - place.y) < kRow - 20;
    };
    while (std::any_of(scenario.nodes.begin(), scenario.nodes.end(), taken))
        place.y += kRow;
    return place;
}

/// The fastest link that both ends can take; null when they have none in common.
const LinkType* sharedLink(const Catalog& catalog, const Device& a, const Device& b) {
    const auto offers = catalog.linkOffers(a, b);
    return offers.empty() ? nullptr : offers.front();
}

/// Devices of one kind that a node can be plugged into: over the fastest link first, then what has the fewest
/// other ports, which is what is made for that link.
std::vector<const Device*> devicesFor(const Catalog& catalog, const Device& node, DeviceKind kind) {
    std::vector<const Device*> found;
    for (const auto& device : catalog.devices)
        if (device.kind == kind && sharedLink(catalog, node, device))
            found.push_back(&device);
    std::stable_sort(found.begin(), found.end(), [&](const Device* a, const Device* b) {
        const double one = sharedLink(catalog, node, *a)->bandwidth.value;
        const double other = sharedLink(catalog, node, *b)->bandwidth.value;
        return one != other ? one > other : a->ports.size() < b->ports.size();
    });
    found.resize(std::min(found.size(), kMostTried));
    return found;
}

double bandwidthOf(const Remedy& remedy) {
    const auto* list = remedy.edit.as<EditList>();
    const auto* link = (list ? list->edits.back() : remedy.edit).as<AddLink>();
    return link ? link->link->type.bandwidth.value : 0.0;
}

/// Adds a device of the catalogue and links it to a node.
void addNewPart(std::vector<Remedy>& out, const Scenario& scenario, const Catalog& catalog, const Node& node,
                const Device& device) {
    Node part;
    part.id = freshNodeId(scenario, device.id.substr(0, 48));
    part.device = device;
    part.role = isStorage(device.kind) ? Role::Storage : Role::Fabric;
    part.position = freePosition(scenario, node);
    auto link = usualLink(scenario, catalog, node, part);
    if (!link)
        return;
    const auto label = "Add " + device.name + " and link it over " + link->link->type.name;
    out.push_back({label, EditList{{AddNode{part, scenario.nodes.size()}, *link}, label}});
}

void addNewParts(std::vector<Remedy>& out, const Scenario& scenario, const Catalog& catalog, const Node& node,
                 DeviceKind kind) {
    for (const auto* device : devicesFor(catalog, node.device, kind))
        addNewPart(out, scenario, catalog, node, *device);
}

/// A new host, together with the switch or storage that stands there without one.
void addNewHost(std::vector<Remedy>& out, const Scenario& scenario, const Catalog& catalog,
                const Node& node) {
    std::vector<Remedy> alone;
    addNewParts(alone, scenario, catalog, node, DeviceKind::Cpu);
    const auto below = nearest(scenario, node, [](const Node& other) {
        return other.device.kind == DeviceKind::Switch || isStorage(other.device.kind);
    });
    for (auto& remedy : alone) {
        out.push_back(remedy);
        auto after = scenario;
        applyEdit(after, remedy.edit);
        const auto& host = after.nodes.back();
        for (const auto* other : below)
            if (const auto link = usualLink(after, catalog, host, *other)) {
                auto both = *remedy.edit.as<EditList>();
                both.edits.emplace_back(*link);
                both.text = "Add " + host.shownName() + " and link it to " + node.shownName() + " and " +
                            other->shownName();
                out.push_back({both.text, both});
            }
    }
}

/// From the node's part of the system into those of the nodes it has to reach.
std::vector<Remedy> pathCandidates(const Scenario& scenario, const Catalog& catalog, const Node& node) {
    const ConnectedParts parts(scenario);
    const auto own = parts.index(node.id);
    const auto elsewhere = [&](const Node& other) { return !parts.reaches(own, parts.index(other.id)); };
    std::vector<Remedy> out;
    addLinks(out, scenario, catalog, node, nearest(scenario, node, [&](const Node& other) {
                 return elsewhere(other) && isFabric(other.device.kind);
             }));
    // The host of its own part may lack the link.
    for (const auto* hub : nearest(scenario, node, [&](const Node& other) {
             return !elsewhere(other) && isFabric(other.device.kind);
         }))
        for (const auto* far : nearest(scenario, *hub, elsewhere))
            if (const auto link = usualLink(scenario, catalog, *hub, *far))
                out.push_back({"Link " + hub->shownName() + " to " + far->shownName() + " over " +
                                   link->link->type.name,
                               *link});
    addLinks(out, scenario, catalog, node, nearest(scenario, node, [&](const Node& other) {
                 return elsewhere(other) && isAccelerator(other.device.kind);
             }));
    return out;
}

/// Storage below the host that a node offloads to.
std::vector<Remedy> storageCandidates(const Scenario& scenario, const Catalog& catalog, const Node& node) {
    std::vector<Remedy> out;
    TierMap tiers;
    const auto at = static_cast<std::size_t>(&node - scenario.nodes.data());
    const auto host = tiers.find(scenario, at).host;
    if (host == Tiers::kNone)
        return out;
    const auto& hub = scenario.nodes[host];
    for (const auto* storage :
         nearest(scenario, hub, [](const Node& other) { return isStorage(other.device.kind); }))
        if (const auto link = usualLink(scenario, catalog, hub, *storage))
            out.push_back(
                {"Link " + storage->shownName() + " to " + hub.shownName() + " over " + link->link->type.name,
                 *link});
    addNewParts(out, scenario, catalog, hub, DeviceKind::Ssd);
    return out;
}

} // namespace

std::optional<AddLink> usualLink(const Scenario& scenario, const Catalog& catalog, const Node& a,
                                 const Node& b) {
    for (const auto& link : scenario.links)
        if ((link.from == a.id && link.to == b.id) || (link.from == b.id && link.to == a.id))
            return {};
    const auto* type = sharedLink(catalog, a.device, b.device);
    if (!type)
        return {};
    const bool forward = order(a.device.kind) <= order(b.device.kind);
    const auto& from = forward ? a : b;
    const auto& to = forward ? b : a;
    const auto id = freshLinkId(scenario, from.id.value.substr(0, 24) + "-" + to.id.value.substr(0, 24));
    return AddLink{Link{id, from.id, to.id, *type}, scenario.links.size()};
}

std::vector<Remedy> linksTo(const Scenario& scenario, const Catalog& catalog, const Node& node,
                            std::initializer_list<DeviceKind> kinds) {
    std::vector<Remedy> out;
    addLinks(out, scenario, catalog, node, nearest(scenario, node, [kinds](const Node& other) {
                 return std::find(kinds.begin(), kinds.end(), other.device.kind) != kinds.end();
             }));
    for (const auto kind : kinds)
        addNewParts(out, scenario, catalog, node, kind);
    // What is there first, then new parts, where the links are equally fast.
    std::stable_sort(out.begin(), out.end(),
                     [](const Remedy& a, const Remedy& b) { return bandwidthOf(a) > bandwidthOf(b); });
    return out;
}

std::vector<Remedy> linkCandidates(const Scenario& scenario, const Catalog& catalog, const Node& node,
                                   const std::string& code) {
    if (code == "no_collective")
        return linksTo(scenario, catalog, node, {DeviceKind::Switch, DeviceKind::Cpu});
    if (code == "no_host") {
        std::vector<Remedy> out;
        addLinks(out, scenario, catalog, node, nearest(scenario, node, [](const Node& other) {
                     return other.device.kind == DeviceKind::Cpu;
                 }));
        addNewHost(out, scenario, catalog, node);
        return out;
    }
    if (code == "no_kv_path")
        return pathCandidates(scenario, catalog, node);
    if (code == "no_storage")
        return storageCandidates(scenario, catalog, node);
    std::vector<Remedy> out;
    if (code == "unlinked")
        addLinks(out, scenario, catalog, node, nearest(scenario, node, [](const Node&) { return true; }));
    if (code == "unused_storage")
        addLinks(out, scenario, catalog, node,
                 nearest(scenario, node, [](const Node& other) { return isFabric(other.device.kind); }));
    return out;
}

} // namespace heteroscape::engine
