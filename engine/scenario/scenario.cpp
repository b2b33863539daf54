// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario.h"

#include "engine/scenario/technique_specs.h"
#include "engine/version.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 6> kRoleNames{"both",   "prefill",   "decode",
                                                     "fabric", "attention", "storage"};

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

void append(std::string& out, double value) {
    const double plain = value == 0.0 ? 0.0 : value; // -0 is 0
    char bytes[sizeof plain];
    std::memcpy(bytes, &plain, sizeof plain);
    out.append(bytes, sizeof bytes);
}

void append(std::string& out, std::string_view text) {
    append(out, static_cast<double>(text.size()));
    out.append(text);
}

/// Model fields that every scenario's bytes hold, set or not. Later ones are there only when set, so that the
/// keys of stored points stay what they were.
constexpr std::size_t kFirstModelFields = 11;

template <class T>
void appendFields(std::string& out, const T& object, std::span<const Field<T>> fields) {
    for (const auto& field : fields) {
        const auto& figure = object.*field.member;
        append(out, figure.isSet() ? figure.value : -1e308); // one pattern for every NaN
    }
}

} // namespace

std::span<const Field<Economics>> economicsFields() {
    static const std::array<Field<Economics>, 2> fields{{
        {{"lifetime_years", "Lifetime", "years", units::year, 1e-2, 100, false, true,
          "Years over which the price of the system is paid off, working all the time."},
         &Economics::lifetime},
        {{"electricity_usd_per_kwh", "Electricity", "$/kWh", 1.0 / units::kWh, 0, 100, false, true,
          "Price of electricity."},
         &Economics::electricity},
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
    static constexpr std::array kComputes{Role::Both, Role::Prefill, Role::Decode, Role::Fabric};
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

Role effectiveRole(const Scenario& scenario, const Node& node) {
    if (!isAccelerator(node.device.kind) || node.role == Role::Fabric)
        return Role::Fabric;
    return scenario.techniques.disaggregation.enabled ? node.role : Role::Both;
}

bool attendsNearStorage(const Node& node) {
    return node.device.kind == DeviceKind::Csd && node.role != Role::Storage;
}

Role shownRole(const Scenario& scenario, const Node& node) {
    if (!isStorage(node.device.kind))
        return effectiveRole(scenario, node);
    return scenario.techniques.nearStorage.enabled && attendsNearStorage(node) ? Role::Attention
                                                                               : Role::Storage;
}

double replicas(const Node& node) {
    return node.replicas.valueOr(node.count.value);
}

double tensorParallel(const Node& node) {
    return node.count.value / replicas(node);
}

const Link* collectiveLink(const Scenario& scenario, const Node& node) {
    const Link* best = nullptr;
    for (const auto& link : scenario.links) {
        if (link.from != node.id && link.to != node.id)
            continue;
        const auto* other = scenario.findNode(link.from == node.id ? link.to : link.from);
        if (other && isFabric(other->device.kind) &&
            (!best || link.type.bandwidth.value > best->type.bandwidth.value))
            best = &link;
    }
    return best;
}

bool canPrefetch(const Node& node) {
    return node.runtime && (seesL2(node.runtime->prefillTiming) || seesL2(node.runtime->decodeTiming)) &&
           node.device.l2Capacity.isSet() && tensorParallel(node) > 1.0;
}

double parallelLinks(const Scenario& scenario, const Link& link) {
    double parallel = 1.0;
    for (const auto* end : {&link.from, &link.to})
        if (const auto* node = scenario.findNode(*end); node && !isFabric(node->device.kind))
            parallel = std::max(parallel, node->count.value);
    return parallel;
}

NodeId freshNodeId(const Scenario& scenario, const std::string& stem) {
    return freshId<NodeId>(stem, [&](const NodeId& id) { return scenario.findNode(id) != nullptr; });
}

LinkId freshLinkId(const Scenario& scenario, const std::string& stem) {
    return freshId<LinkId>(stem, [&](const LinkId& id) { return scenario.findLink(id) != nullptr; });
}

namespace {

template <class K>
double place(const Registry<K>& kinds, const K* kind) {
    const auto all = kinds.all();
    return static_cast<double>(std::find(all.begin(), all.end(), kind) - all.begin());
}

/// Only what is simulated depends on the rest.
void appendServing(std::string& out, const Serving& serving) {
    append(out, place(arrivalKinds(), serving.arrivals));
    if (!serving.isSimulated())
        return;
    append(out, place(batchingKinds(), serving.batching));
    for (const auto& figure : serving.figures)
        append(out, figure.isSet() ? figure.value : -1e308);
    appendFields(out, serving, servingFields());
    out += serving.arrivals->content(serving);
}

} // namespace

void appendCanonicalBytes(const Scenario& scenario, std::string& out) {
    appendFields(out, scenario.model, modelFields().first(kFirstModelFields));
    appendFields(out, scenario.workload, workloadFields());
    append(out, static_cast<double>(scenario.nodes.size()));
    for (const auto& node : scenario.nodes) {
        append(out, node.id.value);
        append(out, static_cast<double>(node.device.kind));
        append(out, node.count.value);
        append(out, replicas(node));
        append(out, static_cast<double>(node.role));
        appendFields(out, node.device, deviceFields());
        if (node.runtime) {
            append(out, static_cast<double>(node.runtime->prefillTiming));
            append(out, static_cast<double>(node.runtime->decodeTiming));
            append(out, static_cast<double>(node.runtime->operators));
            append(out, static_cast<double>(node.runtime->allReduce));
            append(out, node.runtime->mergesLoads ? 1.0 : 0.0);
            append(out, static_cast<double>(node.runtime->offload));
            append(out, node.runtime->nearStorage ? 1.0 : 0.0);
            append(out, node.runtime->holdsScores ? 1.0 : 0.0);
            appendFields(out, *node.runtime, runtimeFields());
        }
    }
    append(out, static_cast<double>(scenario.links.size()));
    for (const auto& link : scenario.links) {
        append(out, link.from.value);
        append(out, link.to.value);
        appendFields(out, link.type, linkTypeFields());
    }
    auto& techniques = const_cast<Techniques&>(scenario.techniques); // the table's accessors only read here
    for (const auto& spec : techniqueSpecs()) {
        append(out, spec.enabled(techniques) ? 1.0 : 0.0);
        for (const auto& option : spec.options)
            append(out, option.on(techniques) ? 1.0 : 0.0);
        for (const auto& field : spec.fields)
            append(out, field.figure(techniques).valueOr(-1e308));
    }
    appendFields(out, scenario.cost, economicsFields());
    appendServing(out, scenario.serving);
    for (const auto& field : modelFields().subspan(kFirstModelFields)) {
        const auto& figure = scenario.model.*field.member;
        if (figure.isSet()) {
            append(out, field.spec.key);
            append(out, figure.value);
        }
    }
}

ScenarioKey scenarioKeyBytes(const Scenario& scenario) {
    thread_local std::string bytes; // reused, so that a sweep does not allocate per point
    bytes.assign(kEquationsVersion);
    appendCanonicalBytes(scenario, bytes);
    const auto hash = XXH3_128bits(bytes.data(), bytes.size());
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    ScenarioKey key;
    static_assert(sizeof canonical.digest == key.size());
    std::memcpy(key.data(), canonical.digest, key.size());
    return key;
}

std::string scenarioKey(const Scenario& scenario) {
    const auto key = scenarioKeyBytes(scenario);
    return {key.data(), key.size()};
}

} // namespace heteroscape::engine
