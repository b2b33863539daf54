// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/parameters.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/node_fields.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

/// A path taken apart from the left: "nodes", "fpga", "device", "price_usd".
class Steps {
public:
    explicit Steps(const std::string& path) : m_path(path), m_rest(path) {}

    std::string next() {
        const auto dot = m_rest.find('.');
        auto step = m_rest.substr(0, dot);
        m_rest = dot == std::string::npos ? std::string() : m_rest.substr(dot + 1);
        m_ended = dot == std::string::npos;
        return step;
    }
    bool ended() const { return m_ended; }
    /// Takes the next step where it is this one and not the last.
    bool take(std::string_view step) {
        const bool is = m_rest.size() > step.size() && m_rest.starts_with(step) && m_rest[step.size()] == '.';
        if (is)
            next();
        return is;
    }

    template <class Names>
    [[noreturn]] void fail(const std::string& step, const Names& allowed) const {
        throw Error(ErrorCode::NotFound, m_path.substr(0, 200),
                    step.empty() ? "the path ends too early"
                                 : "nothing is called \"" + step.substr(0, 80) + "\"",
                    "Allowed there: " + joined(allowed));
    }

private:
    const std::string& m_path;
    std::string m_rest;
    bool m_ended = false;
};

template <class T>
std::vector<std::string> fieldKeys(std::span<const Field<T>> fields) {
    std::vector<std::string> keys;
    for (const auto& field : fields)
        keys.emplace_back(field.spec.key);
    return keys;
}

std::vector<std::string> keysOf(const Kind& kind) {
    std::vector<std::string> keys;
    for (const auto& parameter : kind.parameters())
        keys.emplace_back(parameter.spec.key);
    return keys;
}

/// The last step of a path: a field of T, which `target` finds in a scenario. `others` may stand there too.
template <class T, class Target>
ResolvedQuantity lastField(Steps& steps, std::span<const Field<T>> fields, Target target,
                           std::vector<std::string> others = {}) {
    const auto key = steps.next();
    const auto* field = findField(fields, key);
    if (!field || !steps.ended()) {
        auto keys = fieldKeys(fields);
        keys.insert(keys.end(), others.begin(), others.end());
        steps.fail(key, keys);
    }
    return {field->spec,
            [target, member = field->member](Scenario& s) -> Quantity& { return target(s).*member; }};
}

/// The last step of a path: a parameter of the kind that `chosen` holds in a scenario. Another scenario may
/// have chosen another kind (an axis over runtimes): there the parameter is looked for anew, and what the
/// kind does not have is written to nowhere.
template <class Spec, class Chosen>
ResolvedQuantity lastSetting(Steps& steps, const Kind& kind, Spec spec, Chosen chosen) {
    const auto key = steps.next();
    const int index = kind.indexOf(key);
    if (index < 0 || !steps.ended())
        steps.fail(key, keysOf(kind));
    const auto& parameter = kind.parameters()[static_cast<std::size_t>(index)];
    return {spec(parameter),
            [chosen, index, known = &kind, key = parameter.spec.key](Scenario& s) -> Quantity& {
                auto& holder = chosen(s);
                const int at = holder.kind == known ? index : holder.kind ? holder.kind->indexOf(key) : -1;
                if (at >= 0)
                    return holder.settings.quantity(static_cast<std::size_t>(at));
                thread_local Quantity nowhere;
                nowhere = {};
                return nowhere;
            }};
}

template <class Items>
std::size_t indexOfId(const Items& items, const std::string& id, const Steps& steps) {
    thread_local std::size_t next = 0; // who asks for many asks in their order
    const auto is = [&id](const auto& item) { return item.id.value == id; };
    if (next >= items.size() || !is(items[next]))
        next = static_cast<std::size_t>(std::find_if(items.begin(), items.end(), is) - items.begin());
    if (next < items.size())
        return next++;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), 50); ++i)
        ids.push_back(items[i].id.value);
    steps.fail(id, ids);
}

ResolvedQuantity resolveServing(Steps& steps) {
    const auto key = steps.next();
    const auto parameters = servingParameters();
    std::vector<std::string> allowed;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& spec = parameters[i].spec;
        if (spec.key == key && steps.ended())
            return {spec, [i](Scenario& s) -> Quantity& { return s.serving.quantities[i]; }};
        allowed.emplace_back(spec.key);
    }
    const auto* field = findField(servingFields(), key);
    if (field && steps.ended())
        return {field->spec,
                [member = field->member](Scenario& s) -> Quantity& { return s.serving.*member; }};
    for (auto& other : fieldKeys(servingFields()))
        allowed.push_back(std::move(other));
    steps.fail(key, allowed);
}

ResolvedQuantity resolveRuntime(Steps& steps, std::size_t node) {
    std::vector<std::string> added;
    for (const auto* kind : costKinds().all()) {
        added.emplace_back(kind->id());
        if (!steps.take(kind->id()))
            continue;
        const auto key = steps.next();
        const int index = kind->indexOf(key);
        if (index < 0 || !steps.ended())
            steps.fail(key, keysOf(*kind));
        const auto at = static_cast<std::size_t>(index);
        return {kind->parameters()[at].spec, [node, kind, at](Scenario& s) -> Quantity& {
                    return s.nodes[node].runtime->costs[*kind].quantity(at);
                }};
    }
    return lastField<Runtime>(
        steps, runtimeFields(), [node](Scenario& s) -> Runtime& { return *s.nodes[node].runtime; }, added);
}

ResolvedQuantity resolveNode(const Scenario& scenario, Steps& steps) {
    const auto i = indexOfId(scenario.nodes, steps.next(), steps);
    const auto key = steps.next();
    if (key == "device")
        return lastField<Device>(steps, deviceFields(),
                                 [i](Scenario& s) -> Device& { return s.nodes[i].device; });
    if (key == "server" && scenario.nodes[i].server)
        return lastField<Server>(steps, serverFields(),
                                 [i](Scenario& s) -> Server& { return *s.nodes[i].server; });
    if (scenario.nodes[i].runtime) {
        const auto& runtime = *scenario.nodes[i].runtime;
        if (key == "runtime")
            return resolveRuntime(steps, i);
        if (key == "offload" && runtime.offload)
            return lastSetting(
                steps, *runtime.offload.kind, [](const KindParameter& p) { return p.spec; },
                [i](Scenario& s) -> Offload& { return s.nodes[i].runtime->offload; });
        if (key == "timing") {
            const auto name = steps.next();
            for (const auto phase : {Phase::Prefill, Phase::Decode})
                if (name == phaseName(phase))
                    return lastSetting(
                        steps, *runtime.timing(phase).kind,
                        [phase](const KindParameter& p) { return timingSpec(phase, p); },
                        [i, phase](Scenario& s) -> Timing& { return s.nodes[i].runtime->timing(phase); });
            steps.fail(name, std::vector<std::string>{"prefill", "decode"});
        }
    }
    const auto* field = findField(nodeFields(), key);
    if (field && steps.ended())
        return {field->spec,
                [i, member = field->member](Scenario& s) -> Quantity& { return s.nodes[i].*member; }};
    auto allowed = fieldKeys(nodeFields());
    allowed.emplace_back("device");
    if (scenario.nodes[i].server)
        allowed.emplace_back("server");
    if (scenario.nodes[i].runtime) {
        allowed.emplace_back("runtime");
        allowed.emplace_back("timing");
        if (scenario.nodes[i].runtime->offload)
            allowed.emplace_back("offload");
    }
    steps.fail(key, allowed);
}

ResolvedQuantity resolveTechnique(Steps& steps) {
    const auto id = steps.next();
    std::vector<std::string> ids;
    for (const auto* kind : techniqueKinds().all()) {
        ids.emplace_back(kind->id());
        if (kind->id() != id)
            continue;
        const auto key = steps.next();
        std::vector<std::string> keys;
        const auto parameters = kind->parameters();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            keys.emplace_back(parameters[i].spec.key);
            if (parameters[i].spec.key == key && steps.ended())
                return {parameters[i].spec,
                        [kind, i](Scenario& s) -> Quantity& { return s.techniques[*kind].quantity(i); }};
        }
        steps.fail(key, keys);
    }
    steps.fail(id, ids);
}

constexpr FieldSpec nonNumeric(std::string_view key, std::string_view label, std::string_view about) {
    return {key, label, "", 1, 0, 0, false, true, about};
}

/// Of points that are designs of their own: what tells one from another.
constexpr std::array kPointChoices{
    nonNumeric("system", "System", "What is compared: GPUs under servers, or a design."),
    nonNumeric("server", "Server", "The software that serves the model."),
    nonNumeric("weights", "Weights", "The format of the weights."),
    nonNumeric("layout", "Layout", "How the model lies over the devices."),
    nonNumeric("design", "Design", "All of them together, with the users: the point's own design."),
};

constexpr std::array kChoices{
    nonNumeric("system", "System", "Devices, links and techniques of a shipped design."),
    nonNumeric("model", "Model", "The transformer that is served, as its shape."),
    nonNumeric("draft_model", "Draft model",
               "The model that guesses tokens where speculation is on; none: layers of the served model do."),
    nonNumeric("workload", "Workload",
               "Batch, prompt and output of the requests: a named workload of the catalogue."),
    nonNumeric("arrivals", "Arrivals", "How requests come in; all but steady are simulated."),
    nonNumeric("batching", "Batching", "How a pool works on several requests together."),
    nonNumeric("device", "Device",
               "The catalogue device that a node is: GPU, NPU, FPGA, CPU, SSD, CSD or switch."),
    nonNumeric("role", "Role",
               "What a node does for a request: prefill, decode, both, the attention or the FFN of every "
               "layer, host or switch, storage."),
    nonNumeric("runtime", "Runtime",
               "The software or bitstream that a node runs: precisions, operators, timing of each phase, "
               "offloading."),
    nonNumeric(
        "server", "Server",
        "The software that serves the model, by what it adds to its kernels: factors, the host's times, "
        "the way of a request; none: kernels alone."),
    nonNumeric(
        "layout", "Layout",
        "How the model lies over the devices that share a replica of it (\"tp 8 \u00b7 dp 4 \u00b7 ep 32\"): "
        "replicas and the degrees of stages and ranks together; tp and etp follow: tp x dp x cp = ep x "
        "etp = devices of a stage. As an axis, \"valid\" stands for all that divide the devices."),
    nonNumeric("workers", "Workers",
               "Copies of the model, each over as many devices as one has now: count and replicas together."),
    nonNumeric("allreduce", "Allreduce",
               "The algorithm of collectives: literal counts a payload once, ring 2 (n - 1) / n times, tree "
               "twice; flat_ring is one ring over all domains."),
    nonNumeric("type", "Link type",
               "The kind of connection of two nodes; several between the same two are parallel."),
};

/// Its entry; there is one.
const FieldSpec& choice(std::string_view key) {
    return *std::find_if(kChoices.begin(), kChoices.end(),
                         [&](const FieldSpec& spec) { return spec.key == key; });
}

template <class T>
std::vector<std::string> idsOf(const std::vector<T>& entries) {
    std::vector<std::string> ids;
    for (const auto& entry : entries)
        ids.push_back(entry.id);
    return ids;
}

template <class K>
std::vector<std::string> idsOf(const Registry<K>& kinds) {
    std::vector<std::string> ids;
    for (const auto* kind : kinds.all())
        ids.emplace_back(kind->id());
    return ids;
}

std::vector<std::string> runtimesFor(const Catalog& catalog, DeviceKind kind) {
    std::vector<std::string> ids;
    for (const auto& entry : catalog.runtimes)
        if (runsOn(entry.base, kind))
            ids.push_back(entry.base.id);
    return ids;
}

template <class T>
void addFields(std::vector<Parameter>& out, const std::string& prefix, std::span<const Field<T>> fields) {
    for (const auto& field : fields)
        out.push_back({prefix + std::string(field.spec.key), ParameterKind::Number, field.spec, {}});
}

void addNode(std::vector<Parameter>& out, const Node& node, const Model& model, const Catalog& catalog) {
    const auto prefix = "nodes." + node.id.value + ".";
    out.push_back({prefix + "device", ParameterKind::Choice, choice("device"), idsOf(catalog.devices)});
    if (isAccelerator(node.device.kind) || node.device.kind == DeviceKind::Csd) {
        std::vector<std::string> roles;
        for (const auto role : rolesOf(node.device.kind))
            if (isAccelerator(node.device.kind) || role != Role::Fabric)
                roles.emplace_back(roleName(role));
        out.push_back({prefix + "role", ParameterKind::Choice, choice("role"), std::move(roles)});
    }
    if (isAccelerator(node.device.kind)) {
        out.push_back({prefix + "runtime", ParameterKind::Choice, choice("runtime"),
                       runtimesFor(catalog, node.device.kind)});
        auto servers = idsOf(catalog.servers);
        servers.insert(servers.begin(), std::string(kNoServer));
        if (node.server && std::find(servers.begin(), servers.end(), node.server->id) == servers.end())
            servers.push_back(node.server->id);
        out.push_back({prefix + "server", ParameterKind::Choice, choice("server"), std::move(servers)});
    }
    if (isAccelerator(node.device.kind) && model.hasLayers()) {
        std::vector<std::string> layouts;
        for (const auto& layout : layoutsOf(model, node))
            layouts.push_back(layoutWords(layout));
        out.push_back({prefix + "layout", ParameterKind::Choice, choice("layout"), std::move(layouts)});
    }
    if (isAccelerator(node.device.kind))
        out.push_back({prefix + "workers", ParameterKind::Choice, choice("workers"), workersOf(node)});
    addFields<Node>(out, prefix, nodeFields());
    addFields<Device>(out, prefix + "device.", deviceFields());
    if (node.server)
        addFields<Server>(out, prefix + "server.", serverFields());
    if (!node.runtime)
        return;
    for (const auto& quantity : runtimeQuantities(*node.runtime))
        out.push_back({prefix + quantity.path, ParameterKind::Number, quantity.spec, {}});
    out.push_back({prefix + "runtime.allreduce",
                   ParameterKind::Choice,
                   choice("allreduce"),
                   {allReduceConventionNames().begin(), allReduceConventionNames().end()}});
}

} // namespace

ResolvedQuantity resolveQuantity(const Scenario& scenario, const std::string& path) {
    Steps steps(path);
    const auto section = steps.next();
    if (section == "workload")
        return lastField<Workload>(steps, workloadFields(),
                                   [](Scenario& s) -> Workload& { return s.workload; });
    if (section == "model")
        return lastField<Model>(steps, modelFields(scenario.model),
                                [](Scenario& s) -> Model& { return s.model; });
    if (section == "serving")
        return resolveServing(steps);
    if (section == "nodes")
        return resolveNode(scenario, steps);
    if (section == "links") {
        const auto i = indexOfId(scenario.links, steps.next(), steps);
        return lastField<LinkType>(steps, linkTypeFields(),
                                   [i](Scenario& s) -> LinkType& { return s.links[i].type; });
    }
    if (section == "techniques")
        return resolveTechnique(steps);
    if (section == "cost")
        return lastField<Economics>(steps, economicsFields(),
                                    [](Scenario& s) -> Economics& { return s.cost; });
    steps.fail(section, std::vector<std::string>{"model", "workload", "serving", "nodes", "links",
                                                 "techniques", "cost"});
}

const Quantity& ResolvedQuantity::in(const Scenario& scenario) const {
    return access(const_cast<Scenario&>(scenario)); // finding a quantity changes nothing
}

namespace {

void addLink(std::vector<Parameter>& out, const Link& link, const Catalog& catalog) {
    const auto prefix = "links." + link.id.value + ".";
    out.push_back({prefix + "type", ParameterKind::Choice, choice("type"), idsOf(catalog.linkTypes)});
    addFields<LinkType>(out, prefix, linkTypeFields());
}

/// What asks and how it comes.
void addDemand(std::vector<Parameter>& out, const Model& model, const Catalog& catalog) {
    out.push_back({"system", ParameterKind::Choice, choice("system"), catalog.systems});
    out.push_back({"model", ParameterKind::Choice, choice("model"), idsOf(catalog.models)});
    addFields<Model>(out, "model.", modelFields(model));
    auto drafts = idsOf(catalog.models);
    drafts.insert(drafts.begin(), std::string(kNoDraft));
    out.push_back({"draft_model", ParameterKind::Choice, choice("draft_model"), std::move(drafts)});
    out.push_back({"workload", ParameterKind::Choice, choice("workload"), idsOf(catalog.workloads)});
    addFields<Workload>(out, "workload.", workloadFields());
    out.push_back({"serving.arrivals", ParameterKind::Choice, choice("arrivals"), idsOf(arrivalKinds())});
    out.push_back({"serving.batching", ParameterKind::Choice, choice("batching"), idsOf(batchingKinds())});
    for (const auto& parameter : servingParameters())
        out.push_back(
            {"serving." + std::string(parameter.spec.key), ParameterKind::Number, parameter.spec, {}});
    addFields<Serving>(out, "serving.", servingFields());
}

void addTechniques(std::vector<Parameter>& out) {
    for (const auto* kind : techniqueKinds().all()) {
        const auto prefix = "techniques." + std::string(kind->id()) + ".";
        out.push_back({prefix + "enabled",
                       ParameterKind::Boolean,
                       nonNumeric("enabled", kind->label(), kind->about()),
                       {}});
        for (const auto& option : kind->options())
            out.push_back({prefix + std::string(option.key),
                           ParameterKind::Boolean,
                           nonNumeric(option.key, option.label, option.about),
                           {}});
        for (const auto& parameter : kind->parameters())
            out.push_back(
                {prefix + std::string(parameter.spec.key), ParameterKind::Number, parameter.spec, {}});
    }
    addFields<Economics>(out, "cost.", economicsFields());
}

/// "gpu" of "nodes.gpu.count" for "nodes.".
std::string ownerIn(const std::string& path, std::string_view list) {
    return path.substr(list.size(), path.find('.', list.size()) - list.size());
}

/// What may stand where a path goes wrong, choices and switches too: after all of it where it ends too early,
/// else in place of its last step.
std::vector<std::string> stepsAfter(const std::vector<Parameter>& near, const std::string& path) {
    for (const auto& prefix : {path + ".", path.substr(0, path.rfind('.') + 1)}) {
        std::vector<std::string> steps;
        for (const auto& parameter : near)
            if (!prefix.empty() && parameter.path.starts_with(prefix)) {
                const auto step = ownerIn(parameter.path, prefix);
                if (std::find(steps.begin(), steps.end(), step) == steps.end())
                    steps.push_back(step);
            }
        if (!steps.empty())
            return steps;
    }
    return {};
}

} // namespace

std::span<const FieldSpec> choiceSpecs() {
    return kChoices;
}

std::vector<Parameter> listParameters(const Scenario& scenario, const Catalog& catalog) {
    std::vector<Parameter> out;
    addDemand(out, scenario.model, catalog);
    for (const auto& node : scenario.nodes)
        addNode(out, node, scenario.model, catalog);
    for (const auto& link : scenario.links)
        addLink(out, link, catalog);
    addTechniques(out);
    return out;
}

Parameter findParameter(const Scenario& scenario, const Catalog& catalog, const std::string& told) {
    const auto path = currentPath(told);
    std::vector<Parameter> near; // of what the path is about: a system may have thousands of others
    if (path.starts_with("nodes.")) {
        if (const auto* node = scenario.findNode({ownerIn(path, "nodes.")}))
            addNode(near, *node, scenario.model, catalog);
    } else if (path.starts_with("links.")) {
        if (const auto* link = scenario.findLink({ownerIn(path, "links.")}))
            addLink(near, *link, catalog);
    } else if (isPointPath(path)) {
        for (const auto& spec : kPointChoices)
            near.push_back({"points." + std::string(spec.key), ParameterKind::Choice, spec, {}});
    } else {
        addDemand(near, scenario.model, catalog);
        addTechniques(near);
    }
    for (auto& parameter : near)
        if (parameter.path == path)
            return parameter;
    try {
        const auto resolved = resolveQuantity(scenario, path); // throws, saying which step is wrong
        return {path, ParameterKind::Number, resolved.spec, {}};
    } catch (const Error& error) {
        const auto allowed = stepsAfter(near, path);
        if (allowed.empty())
            throw;
        throw Error(error.code(), error.where(), error.message(), "Allowed there: " + joined(allowed));
    }
}

std::string propertyOf(const std::string& owner, std::string_view label) {
    return owner + " " + labelWithin(label);
}

std::string parameterText(const Scenario& scenario, const Parameter& parameter) {
    if (parameter.kind == ParameterKind::Number) {
        const auto& quantity = resolveQuantity(scenario, parameter.path).in(scenario);
        return quantity.isSet() ? exactText(shownValue(quantity.value, parameter.spec.scale)) : std::string();
    }
    const auto& path = parameter.path;
    if (path == "system")
        return {}; // a system has no id of its own
    if (path == "model")
        return scenario.model.id;
    if (path == "draft_model")
        return scenario.draft ? scenario.draft->id : std::string(kNoDraft);
    if (path == "workload")
        return scenario.workload.id;
    if (path == "serving.arrivals")
        return std::string(scenario.serving.arrivals->id());
    if (path == "serving.batching")
        return std::string(scenario.serving.batching->id());
    const auto first = path.find('.');
    const auto last = path.rfind('.');
    const auto id = path.substr(first + 1, path.find('.', first + 1) - first - 1);
    const auto key = path.substr(last + 1);
    if (parameter.kind == ParameterKind::Boolean) {
        if (const auto* kind = techniqueKinds().find(id)) {
            const auto& settings = scenario.techniques[*kind];
            bool on = settings.enabled;
            const auto options = kind->options();
            for (std::size_t i = 0; i < options.size(); ++i)
                if (options[i].key == key)
                    on = settings.isOn(i);
            return on ? "true" : "false";
        }
        return {};
    }
    if (const auto* link = scenario.findLink(LinkId{id}); link && path.starts_with("links."))
        return link->type.id;
    const auto* node = scenario.findNode(NodeId{id});
    if (!node)
        return {};
    if (key == "role")
        return std::string(roleName(node->device.kind == DeviceKind::Csd && node->role == Role::Fabric
                                        ? Role::Attention
                                        : node->role));
    if (key == "layout")
        return layoutWords(layoutOf(*node));
    if (key == "workers")
        return plainText(replicas(*node));
    if (key == "allreduce")
        return std::string(allReduceConventionNames()[static_cast<std::size_t>(node->runtime->allReduce)]);
    if (key == "server")
        return node->server ? node->server->id : std::string(kNoServer);
    if (key == "runtime")
        return node->runtime ? node->runtime->id : std::string();
    return node->device.id;
}

std::optional<std::string> textAt(const Scenario& scenario, const Catalog& catalog, const std::string& path) {
    try {
        return parameterText(scenario, findParameter(scenario, catalog, path));
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::string_view parameterUnit(std::string_view path) {
    const auto key = path.substr(path.rfind('.') + 1);
    std::string_view unit;
    const auto look = [&](const auto& fields) {
        for (const auto& field : fields)
            if (unit.empty() && field.spec.key == key)
                unit = field.spec.unit;
    };
    look(deviceFields());
    look(linkTypeFields());
    look(nodeFields());
    look(layoutFields());
    look(runtimeFields());
    look(serverFields());
    look(workloadFields());
    look(servingFields());
    look(economicsFields());
    return unit;
}

} // namespace heteroscape::engine
