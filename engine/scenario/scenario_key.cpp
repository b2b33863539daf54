// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario_key.h"

#include "engine/catalog/power_constants.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario.h"
#include "engine/scenario/technique.h"
#include "engine/version.h"

namespace heteroscape::engine {

std::string keyText(const ScenarioKey& key) {
    constexpr auto* digits = "0123456789abcdef";
    std::string text;
    for (const char byte : key) {
        const auto value = static_cast<unsigned char>(byte);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

} // namespace heteroscape::engine

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace heteroscape::engine {

namespace {

void append(std::string& out, const KeyEntry& entry) {
    appendEntries(out, std::span(&entry, 1));
}

void append(std::string& out, std::uint64_t name, std::string_view text) {
    append(out, {name, text.size()});
    out.append(text);
}

/// The names of an enum as they stand in keys.
class NameKeys {
public:
    NameKeys(std::string_view property, std::span<const std::string_view> values)
        : m_property(nameHash(property)) {
        for (const auto value : values)
            m_values.push_back(nameHash(value));
    }
    template <class Enum>
    KeyEntry operator()(Enum value) const {
        return {m_property, m_values.at(static_cast<std::size_t>(value))};
    }

private:
    std::uint64_t m_property;
    std::vector<std::uint64_t> m_values;
};

/// Replicas that are not set are as many as devices: the same system has the same key.
std::vector<Field<Node>> plainNodeFields(bool counted) {
    std::vector<Field<Node>> fields;
    for (const auto& field : nodeFields())
        if (field.member != &Node::replicas && (counted || field.member != &Node::count))
            fields.push_back(field);
    return fields;
}

/// All names, hashed once.
struct Keys {
    FieldKeys<Model> model{modelFields()};
    FieldKeys<Workload> workload{workloadFields()};
    FieldKeys<Serving> serving{servingFields()};
    FieldKeys<Node> node{plainNodeFields(true)};
    FieldKeys<Node> nodeOfOneCopy{plainNodeFields(false)};
    FieldKeys<Device> device{deviceFields()};
    FieldKeys<Runtime> runtime{runtimeFields()};
    FieldKeys<Server> server{serverFields()};
    FieldKeys<LinkType> linkType{linkTypeFields()};
    FieldKeys<Economics> cost{economicsFields()};
    NameKeys deviceKind{"type", deviceKindNames()};
    NameKeys role{"role", roleNames()};
    NameKeys operators{"operators", operatorStyleNames()};
    NameKeys allReduce{"allreduce", allReduceConventionNames()};
    std::uint64_t layerGroup = nameHash("layer_group");
    std::uint64_t weights = nameHash("weights");
    std::uint64_t replicas = nameHash("replicas");
    std::uint64_t mergesLoads = nameHash("merges_loads");
    std::uint64_t nearStorage = nameHash("near_storage");
    std::uint64_t holdsScores = nameHash("holds_scores");
    std::uint64_t runsElsewhere = nameHash("runs_elsewhere");
    std::uint64_t content = nameHash("content");
    std::uint64_t powerConstants = nameHash("power_constants");
    std::uint64_t constants = nameHash("constants");
    std::uint64_t kernels = nameHash("kernels");
    std::uint64_t from = nameHash("from");
    std::uint64_t to = nameHash("to");
    // Each starts a part of the design:
    std::uint64_t workloadPart = nameHash("workload");
    std::uint64_t nodePart = nameHash("node");
    std::uint64_t linkPart = nameHash("link");
    std::uint64_t costPart = nameHash("cost");
};

const Keys& keys() {
    static const Keys made;
    return made;
}

void appendSwitch(std::string& out, std::uint64_t name, bool on) {
    if (on)
        append(out, KeyEntry::number(name, 1.0));
}

/// Constants that are data, and whose they are.
void appendConstants(std::string& out, const Runtime& runtime, const Device& device) {
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        if (const auto hash = runtime.timing(phase).kind->constantsHash()) {
            append(out, {keys().constants, hash});
            append(out, keys().kernels, runtime.timing(phase).kind->constantsOn(device));
            if (runtime.ownKernels)
                appendEntries(out,
                              std::array{KeyEntry{nameHash("kernel_constants"), runtime.ownKernels.hash()}});
        }
}

void appendRuntime(std::string& out, const Runtime& runtime, DeviceKind kind) {
    const auto& k = keys();
    appendEntries(out, std::array{k.operators(runtime.operators), k.allReduce(runtime.allReduce)});
    appendSettings(out, *runtime.prefill.kind, runtime.prefill.settings, "prefill_timing");
    appendSettings(out, *runtime.decode.kind, runtime.decode.settings, "decode_timing");
    if (runtime.offload)
        appendSettings(out, *runtime.offload.kind, runtime.offload.settings, "offload");
    for (const auto* cost : costKinds().all()) // nothing where none is set
        appendSettings(out, *cost, runtime.costs[*cost], "cost", true);
    appendSwitch(out, k.mergesLoads, runtime.mergesLoads);
    appendSwitch(out, k.nearStorage, runtime.nearStorage);
    appendSwitch(out, k.holdsScores, runtime.holdsScores);
    appendSwitch(out, k.runsElsewhere, !runsOn(runtime, kind));
    k.runtime.append(out, runtime);
}

void appendNode(std::string& out, const Node& node, bool ofOneCopy) {
    const auto& k = keys();
    append(out, k.nodePart, node.id.value);
    appendEntries(out, std::array{k.deviceKind(node.device.kind), k.role(node.role)});
    if (ofOneCopy) {
        k.nodeOfOneCopy.append(out, node);
        append(out, KeyEntry::number(k.replicas, tensorParallel(node)));
    } else {
        k.node.append(out, node);
        if (const double copies = replicas(node); copies != node.count.value)
            append(out, KeyEntry::number(k.replicas, copies));
    }
    k.device.append(out, node.device);
    if (hasPowerModel(node.device))
        append(out, {k.powerConstants, shippedPower().hash});
    if (node.runtime) {
        appendRuntime(out, *node.runtime, node.device.kind);
        appendConstants(out, *node.runtime, node.device);
    }
    if (node.server)
        k.server.append(out, *node.server);
}

/// What was measured holds for a model and a device by their ids.
void appendMeasurement(std::string& out, const MeasuredFor& measured, const Model& model,
                       const Device& device) {
    append(out, nameHash("measured_for"), measured.text());
    append(out, nameHash("measured_for.model"), model.id);
    append(out, nameHash("measured_for.device"), device.id);
}

void appendLink(std::string& out, const Link& link) {
    const auto& k = keys();
    append(out, k.linkPart, link.id.value);
    append(out, k.from, link.from.value);
    append(out, k.to, link.to.value);
    k.linkType.append(out, link.type);
}

bool differs(double value, double initial) {
    return !(value == initial || (value != value && initial != initial)); // NaN: neither is set
}

/// A kind's names, hashed once a thread. Sorted, so that rows may change places in their table.
struct KindKeys {
    struct Row {
        std::uint64_t name;
        std::size_t index;
        double initial;
    };
    const Kind* kind;
    std::uint64_t id;
    const KindParameter* parameterTable; ///< of this very kind: another may come to stand at its address
    const KindOption* optionTable;
    std::vector<Row> parameters;
    std::vector<Row> options;

    explicit KindKeys(const Kind& of)
        : kind(&of), id(nameHash(of.id())), parameterTable(of.parameters().data()),
          optionTable(of.options().data()) {
        for (const auto& parameter : of.parameters())
            parameters.push_back({nameHash(parameter.spec.key), parameters.size(), parameter.initial});
        for (const auto& option : of.options())
            options.push_back({nameHash(option.key), options.size(), option.initial ? 1.0 : 0.0});
        const auto byName = [](const Row& a, const Row& b) { return a.name < b.name; };
        std::sort(parameters.begin(), parameters.end(), byName);
        std::sort(options.begin(), options.end(), byName);
    }
    bool isOf(const Kind& other) const {
        return kind == &other && parameterTable == other.parameters().data() &&
               optionTable == other.options().data();
    }
};

const KindKeys& keysOf(const Kind& kind) {
    thread_local std::vector<KindKeys> known;
    for (const auto& one : known)
        if (one.isOf(kind))
            return one;
    return known.emplace_back(kind);
}

void appendModel(std::string& out, const Model& model) {
    const auto& k = keys();
    k.model.append(out, model);
    for (const auto& group : model.groups) {
        append(out, KeyEntry::number(k.layerGroup, group.network ? group.count : -group.count));
        appendSettings(out, *group.attention, group.figures, "attention");
    }
    if (model.weights)
        append(out, {k.weights, nameHash(model.weights->id)});
}

/// Only what is simulated depends on it.
void appendServing(std::string& out, const Serving& serving) {
    if (!serving.isSimulated())
        return;
    const auto& k = keys();
    appendSettings(out, *serving.arrivals, serving.settings(*serving.arrivals), "arrivals");
    for (const auto* kind : batchingKinds().all()) // what offloads may be served by another than the chosen
        appendSettings(out, *kind, serving.settings(*kind), "batching", kind != serving.batching);
    k.serving.append(out, serving);
    if (const auto content = serving.arrivals->content(serving); !content.empty())
        append(out, k.content, content);
}

} // namespace

std::uint64_t nameHash(std::string_view name) {
    return XXH3_64bits(name.data(), name.size());
}

void appendEntries(std::string& out, std::span<const KeyEntry> entries) {
    out.append(reinterpret_cast<const char*>(entries.data()), entries.size_bytes());
}

void appendSettings(std::string& out, const Kind& kind, const Settings& settings, std::string_view what,
                    bool off) {
    const auto& known = keysOf(kind);
    const auto start = out.size();
    append(out, {nameHash(what), known.id});
    {
        KeyEntries entries(out);
        for (const auto& row : known.parameters)
            if (const double value = settings[row.index];
                settings.quantity(row.index).isSet() && (!off || differs(value, row.initial)))
                entries.add(KeyEntry::number(row.name, value));
        for (const auto& row : known.options)
            if (const bool on = settings.isOn(row.index); on != (row.initial != 0.0))
                entries.add(KeyEntry::number(row.name, on ? 1.0 : 0.0));
    }
    if (off && out.size() == start + sizeof(KeyEntry))
        out.resize(start);
}

namespace {

void appendModels(std::string& out, const Scenario& scenario) {
    appendModel(out, scenario.model);
    if (scenario.draft) { // none leaves keys alone
        append(out, {nameHash("draft_model"), 0});
        appendModel(out, *scenario.draft);
    }
}

/// A node and what is served on it; of one replica: whatever the number of replicas.
void appendServed(std::string& out, const Scenario& scenario, const Node& node, bool ofOneCopy) {
    appendNode(out, node, ofOneCopy);
    for (const auto* model : {&scenario.model, scenario.draft ? &*scenario.draft : nullptr})
        if (const auto* weights = model ? servedWeights(*model, node) : nullptr;
            weights && weights != model->weights)
            append(out, {nameHash("weights by hand"), nameHash(weights->id)});
    if (node.runtime && node.runtime->measuredFor)
        appendMeasurement(out, *node.runtime->measuredFor, scenario.model, node.device);
}

void appendTechniques(std::string& out, const Scenario& scenario) {
    for (const auto* technique : techniqueKinds().all()) {
        const auto& chosen = scenario.techniques[*technique];
        // Nothing of one that is off and untouched, so that a technique that is new leaves keys alone.
        appendSettings(out, *technique, chosen, chosen.enabled ? "technique" : "technique_off",
                       !chosen.enabled);
    }
}

void appendSystem(std::string& out, const Scenario& scenario) {
    for (const auto& node : scenario.nodes)
        appendServed(out, scenario, node, false);
    for (const auto& link : scenario.links)
        appendLink(out, link);
    appendTechniques(out, scenario);
}

} // namespace

void appendCanonicalBytes(const Scenario& scenario, std::string& out) {
    const auto& k = keys();
    appendModels(out, scenario);
    append(out, {k.workloadPart, 0});
    k.workload.append(out, scenario.workload);
    appendSystem(out, scenario);
    append(out, {k.costPart, 0});
    k.cost.append(out, scenario.cost);
    appendServing(out, scenario.serving);
}

void appendStepBytes(const Scenario& scenario, std::string& out) {
    appendModels(out, scenario);
    appendSystem(out, scenario);
}

void appendNodeStepBytes(const Scenario& scenario, const Node& node, std::string& out) {
    appendModels(out, scenario);
    appendServed(out, scenario, node, true);
    appendTechniques(out, scenario);
}

void appendLinkTypeBytes(const LinkType& type, std::string& out) {
    append(out, keys().linkPart, type.id);
    keys().linkType.append(out, type);
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
