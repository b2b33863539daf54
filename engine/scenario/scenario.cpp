// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario.h"

#include "engine/base/error.h"
#include "engine/scenario/split_pool.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 7> kRoleNames{"both",      "prefill", "decode", "fabric",
                                                     "attention", "storage", "ffn"};

template <class Items, class Id>
auto* findItem(Items& items, const Id& id) {
    for (auto& item : items)
        if (item.id == id)
            return &item;
    return static_cast<decltype(items.data())>(nullptr);
}

template <class Id, class Exists>
Id freshId(const std::string& stem, Exists exists) {
    Id id{stem};
    for (int n = 2; exists(id); ++n)
        id.value = stem.substr(0, 56) + "-" + std::to_string(n);
    return id;
}

} // namespace

void checkSize(std::size_t size, std::size_t limit, const std::string& where) {
    if (size > limit)
        throwInvalid(where, "more than " + plainText(static_cast<double>(limit), 9),
                     "Split the design, or use a node's count instead of many alike");
}

void checkCoordinate(double value, const std::string& where) {
    if (!(std::fabs(value) <= kFarthestPlace))
        throwInvalid(where, "not a coordinate", "Give a number from -1e7 to 1e7");
}

void checkPlace(const Position& place, const std::string& where) {
    checkCoordinate(place.x, where + ".x");
    checkCoordinate(place.y, where + ".y");
}

std::span<const Field<Economics>> economicsFields() {
    static const std::array<Field<Economics>, 10> fields{{
        {{"lifetime_years", "Lifetime", "years", units::year, 1e-2, 100, false, true,
          "Years over which the price of the system is paid off, working all the time."},
         &Economics::lifetime},
        {{"electricity_usd_per_kwh", "Electricity", "$/kWh", 1.0 / units::kWh, 0, 100, false, true,
          "Price of electricity."},
         &Economics::electricity},
        {{"server_host_w", "Host of a server", "W", 1, 0, 1e6, false, false,
          "What one server draws beside the devices of the design: CPUs, NICs, fans. Of one measured server "
          "of "
          "eight H200: 1286 W. Without it the facility's power is not known."},
         &Economics::serverHost},
        {{"server_loss", "Loss factor of a server", "", 1, 1, 10, false, false,
          "What a server draws at the wall over what its parts draw. Of one measured server of eight H200: "
          "1.079. Without it the facility's power is not known."},
         &Economics::serverLoss},
        {{"server_devices", "Devices of a server", "", 1, 1, 1e4, true, false,
          "Accelerators that share one host; without it 8."},
         &Economics::serverDevices},
        {{"pue", "PUE", "", 1, 1, 10, false, false,
          "Power usage effectiveness of the building: what it draws over what its servers draw; without it "
          "cooling is not counted."},
         &Economics::pue},
        {{"carbon_kg_per_kwh", "Carbon of electricity", "kg/kWh", 1.0 / units::kWh, 0, 100, false, false,
          "Kilograms of CO2 for a kWh; without it none are known."},
         &Economics::carbon},
        {{"interest_pct", "Interest", "%", 0.01, 0, 100, false, false,
          "Interest a year on what is not yet paid off; the price is paid in equal parts over the lifetime. "
          "Without it none."},
         &Economics::interest},
        {{"utilisation_pct", "Utilisation", "%", 0.01, 0.1, 100, false, false,
          "Share of its lifetime, or of the rented hours, in which the system works as it does here; the "
          "rest "
          "is paid for and gives no tokens. Without it all."},
         &Economics::utilisation},
        {{"rented", "Rented", "", 1, 0, 1, true, false,
          "1: devices are rented by the hour, with server, power and building; 0 or not set: the system is "
          "bought and its electricity paid."},
         &Economics::rented},
    }};
    return fields;
}

std::span<const std::string_view> roleNames() {
    return kRoleNames;
}

std::string_view roleName(Role role) {
    return kRoleNames[static_cast<std::size_t>(role)];
}

std::span<const Role> rolesOf(DeviceKind kind) {
    static constexpr std::array kComputes{Role::Both,      Role::Prefill, Role::Decode,
                                          Role::Attention, Role::Ffn,     Role::Fabric};
    static constexpr std::array kCsd{Role::Attention, Role::Storage, Role::Fabric};
    static constexpr std::array kStores{Role::Storage, Role::Fabric};
    static constexpr std::array kCarries{Role::Fabric};
    if (isAccelerator(kind))
        return kComputes;
    if (kind == DeviceKind::Csd)
        return kCsd;
    return isStorage(kind) ? std::span<const Role>(kStores) : std::span<const Role>(kCarries);
}

bool canHaveRole(DeviceKind kind, Role role) {
    const auto roles = rolesOf(kind);
    return std::find(roles.begin(), roles.end(), role) != roles.end();
}

const Node* Scenario::findNode(const NodeId& id) const {
    return findItem(nodes, id);
}
Node* Scenario::findNode(const NodeId& id) {
    return findItem(nodes, id);
}
const Link* Scenario::findLink(const LinkId& id) const {
    return findItem(links, id);
}
Link* Scenario::findLink(const LinkId& id) {
    return findItem(links, id);
}

const Note* Scenario::findNote(const NoteId& id) const {
    return findItem(notes, id);
}

Role effectiveRole(const Scenario& scenario, const Node& node) {
    if (!isAccelerator(node.device.kind) || node.role == Role::Fabric || node.role == Role::Ffn)
        return Role::Fabric;
    if (isLaterStage(scenario, node))
        return Role::Fabric; // the first node of the pipeline stands for it
    const auto role = node.role == Role::Attention ? Role::Decode : node.role;
    return scenario.techniques.isOn(disaggregation()) ? role : Role::Both;
}

bool splitsLayers(const Node& node) {
    return isAccelerator(node.device.kind) && (node.role == Role::Attention || node.role == Role::Ffn);
}

bool isLayered(const Model& model, const Node& node) {
    const auto cut = [](const Quantity& degree) { return degree.valueOr(1.0) > 1.0; };
    const auto timed = [&](Phase phase) { return node.runtime->timing(phase).kind->timesLayeredForm(model); };
    return !model.isUniform() || cut(node.pp) || cut(node.dp) || cut(node.cp) || cut(node.ep) ||
           splitsLayers(node) ||
           (node.runtime && model.hasLayers() && (timed(Phase::Prefill) || timed(Phase::Decode)));
}

bool attendsNearStorage(const Node& node) {
    return node.device.kind == DeviceKind::Csd && node.role != Role::Storage;
}

Role shownRole(const Scenario& scenario, const Node& node) {
    if (splitsLayers(node))
        return node.role;
    if (isLaterStage(scenario, node))
        return Role::Both;
    if (!isStorage(node.device.kind))
        return effectiveRole(scenario, node);
    return scenario.techniques.isOn(attentionNearStorage()) && attendsNearStorage(node) ? Role::Attention
                                                                                        : Role::Storage;
}

double replicas(const Node& node) {
    return node.replicas.valueOr(splitsLayers(node) ? 1.0 : node.count.value);
}

Layout layoutOf(const Node& node) {
    const double devices = tensorParallel(node);
    Layout layout;
    layout.pp = node.pp.valueOr(1.0);
    layout.dp = node.dp.valueOr(1.0);
    layout.cp = node.cp.valueOr(1.0);
    const double stage = devices / layout.pp;
    if (splitsLayers(node))
        layout.side = node.role == Role::Ffn ? LayerSide::Ffn : LayerSide::Attention;
    const bool deals = layout.dp > 1.0 || layout.cp > 1.0 || layout.side == LayerSide::Ffn;
    layout.ep = node.ep.valueOr(deals ? stage : 1.0);
    layout.tp = stage / (layout.dp * layout.cp);
    layout.etp = stage / layout.ep;
    constexpr double kSplitMicrobatches = 3.0; // attention, messages and FFN of one each, at the same time
    layout.microbatches =
        node.microbatches.valueOr(layout.side == LayerSide::Whole ? layout.pp : kSplitMicrobatches);
    return layout;
}

double tensorParallel(const Node& node) {
    return node.count.value / replicas(node);
}

CollectiveLinks collectiveLinks(const Scenario& scenario, const Node& node) {
    const auto joins = [](const Link& link) {
        return link.type.domain.valueOr(std::numeric_limits<double>::infinity());
    };
    const auto forFabric = [&](auto visit) {
        for (const auto& link : scenario.links) {
            if (link.from != node.id && link.to != node.id)
                continue;
            const auto* other = scenario.findNode(link.from == node.id ? link.to : link.from);
            if (other && isFabric(other->device.kind))
                visit(link, *other);
        }
    };
    const auto widen = [](const Link*& best, const Link& link) {
        if (!best || link.type.bandwidth.value > best->type.bandwidth.value)
            best = &link;
    };
    const auto quicken = [](const Link*& best, const Link& link) {
        if (!best || link.type.latency.value < best->type.latency.value)
            best = &link;
    };
    double fewest = std::numeric_limits<double>::infinity();
    forFabric([&](const Link& link, const Node&) { fewest = std::min(fewest, joins(link)); });
    CollectiveLinks found;
    found.domain = fewest;
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        if (node.runtime)
            found.domain =
                std::min(found.domain, node.runtime->timing(phase).kind->devicesOfNode(node.device));
    auto& near = found.near;
    auto& far = found.far;
    forFabric([&](const Link& link, const Node&) {
        if (joins(link) > fewest)
            return;
        widen(near.widest, link);
        quicken(near.quickest, link);
    });
    const double devices = tensorParallel(node);
    forFabric([&](const Link& link, const Node& other) {
        if (other.device.kind != DeviceKind::Switch || joins(link) < devices)
            return;
        if (&link != near.widest)
            widen(far.widest, link);
        if (&link != near.quickest)
            quicken(far.quickest, link);
    });
    if (!far.widest || !far.quickest)
        far.quickest = far.widest;
    return found;
}

const Link* collectiveLink(const Scenario& scenario, const Node& node) {
    return collectiveLinks(scenario, node).near.widest;
}

const Link* networkLink(const Scenario& scenario, const Node& node) {
    return collectiveLinks(scenario, node).far.widest;
}

double parallelLinks(const Scenario& scenario, const Link& link) {
    double parallel = 1.0;
    for (const auto* end : {&link.from, &link.to})
        if (const auto* node = scenario.findNode(*end); node && !isFabric(node->device.kind))
            parallel = std::max<double>(parallel, node->count.value);
    return parallel;
}

NodeId freshNodeId(const Scenario& scenario, const std::string& stem) {
    return freshId<NodeId>(stem, [&](const NodeId& id) { return scenario.findNode(id) != nullptr; });
}

LinkId freshLinkId(const Scenario& scenario, const std::string& stem) {
    return freshId<LinkId>(stem, [&](const LinkId& id) { return scenario.findLink(id) != nullptr; });
}

NoteId freshNoteId(const Scenario& scenario, const std::string& stem) {
    return freshId<NoteId>(stem, [&](const NoteId& id) { return scenario.findNote(id) != nullptr; });
}

} // namespace heteroscape::engine
