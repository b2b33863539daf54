// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edit.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/edit_list_words.h"
#include "engine/scenario/known_ids.h"
#include "engine/scenario/notes.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscape::engine {

namespace {

/// From the back: what was added last is taken away first.
template <class Items, class Id>
auto& itemOf(Items& items, const Id& id, const char* list, const char* problem) {
    const auto found =
        std::find_if(items.rbegin(), items.rend(), [&](const auto& item) { return item.id == id; });
    if (found == items.rend())
        throw Error(ErrorCode::NotFound, list + id.value, problem);
    return *found;
}

Node& nodeOf(Scenario& scenario, const NodeId& id) {
    return itemOf(scenario.nodes, id, "nodes.", "no such node");
}

Link& linkOf(Scenario& scenario, const LinkId& id) {
    return itemOf(scenario.links, id, "links.", "no such link");
}

constexpr std::size_t kManyEdits = 32; ///< of a list: their ids are looked up, not searched

template <class T>
std::size_t indexIn(const std::vector<T>& items, const T& item) {
    return static_cast<std::size_t>(&item - items.data());
}

template <class T>
void insertAt(std::vector<T>& items, std::size_t index, const T& item) {
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(std::min(index, items.size())), item);
}

/// Index of a switch within a technique.
std::size_t optionOf(const Technique& technique, const std::string& key) {
    std::vector<std::string> keys{"enabled"};
    const auto options = technique.options();
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (options[i].key == key)
            return i;
        keys.emplace_back(options[i].key);
    }
    throw Error(ErrorCode::NotFound, "techniques." + std::string(technique.id()) + "." + key,
                "no such switch", "Allowed: " + joined(keys));
}

/// Applies one kind of edit each; every function checks before it changes anything.
struct Applier {
    Scenario& scenario;
    KnownIds* known = nullptr; ///< in a list

    bool has(const NodeId& id) const {
        return known ? known->nodes.contains(id.value) : scenario.findNode(id) != nullptr;
    }
    bool has(const LinkId& id) const {
        return known ? known->links.contains(id.value) : scenario.findLink(id) != nullptr;
    }

    std::vector<Device>& partsOf(const Device&) const { return scenario.own.devices; }
    std::vector<Model>& partsOf(const Model&) const { return scenario.own.models; }
    std::vector<Workload>& partsOf(const Workload&) const { return scenario.own.workloads; }

    static void checkPlace(const Position& place, const std::string& where) {
        checkCoordinate(place.x, where + ".x");
        checkCoordinate(place.y, where + ".y");
    }

    template <class Part>
    GraphEdit put(std::vector<Part>& parts, const Part& part, std::size_t index) const {
        checkId(part.id, "part");
        checkText(part.name, "own." + part.id + ".name");
        for (auto& one : parts)
            if (one.id == part.id)
                return PutPart{std::exchange(one, part), indexIn(parts, one)};
        checkSize(parts.size() + 1, kMaxOwnParts, "own");
        insertAt(parts, index, part);
        const auto kind = static_cast<PartKind>(PutPart{part}.part->index());
        return DropPart{kind, part.id};
    }
    template <class Part>
    GraphEdit drop(std::vector<Part>& parts, const std::string& id) const {
        const auto found =
            std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.id == id; });
        if (found == parts.end())
            throw Error(ErrorCode::NotFound, "own." + id, "this design has no part of its own with that id");
        PutPart inverse{*found, static_cast<std::size_t>(found - parts.begin())};
        parts.erase(found);
        return inverse;
    }

    static void checkRole(const NodeId& id, DeviceKind kind, Role role) {
        if (canHaveRole(kind, role))
            return;
        std::vector<std::string> names;
        for (const auto allowed : rolesOf(kind))
            names.emplace_back(roleName(allowed));
        throwInvalid("nodes." + id.value + ".role",
                     "a " + std::string(deviceKindLabel(kind)) + " cannot have the role " +
                         std::string(roleName(role)),
                     "Allowed: " + joined(names));
    }

    GraphEdit operator()(const AddNode& edit) const {
        checkId(edit.node->id.value, "node");
        checkRole(edit.node->id, edit.node->device.kind, edit.node->role);
        if (has(edit.node->id))
            throwInvalid("nodes." + edit.node->id.value, "a node of this id is there already");
        checkText(edit.node->name, "nodes." + edit.node->id.value + ".name");
        checkPlace(edit.node->position, "nodes." + edit.node->id.value);
        checkSize(scenario.nodes.size() + 1, kMaxNodes, "nodes");
        insertAt(scenario.nodes, edit.index, *edit.node);
        if (known)
            known->nodes.insert(edit.node->id.value);
        return RemoveNode{edit.node->id};
    }
    GraphEdit operator()(const RemoveNode& edit) const {
        auto& node = nodeOf(scenario, edit.id);
        const bool maybeLinked = !known || known->ends[edit.id.value] > 0;
        for (std::size_t i = 0; maybeLinked && i < scenario.links.size(); ++i)
            if (const auto& link = scenario.links[i]; link.from == edit.id || link.to == edit.id)
                throwInvalid("nodes." + edit.id.value, "link \"" + link.id.value + "\" still ends here",
                             "Remove the link first");
        const auto index = indexIn(scenario.nodes, node);
        AddNode inverse{std::move(node), index};
        if (known)
            known->nodes.erase(edit.id.value);
        scenario.nodes.erase(scenario.nodes.begin() + static_cast<std::ptrdiff_t>(index));
        return withArrowsOff(scenario, std::move(inverse),
                             [&](const auto& at) { return at == NoteTarget(edit.id); });
    }
    GraphEdit operator()(const MoveNode& edit) const {
        auto& node = nodeOf(scenario, edit.id);
        checkPlace(edit.position, "nodes." + edit.id.value);
        return MoveNode{edit.id, std::exchange(node.position, edit.position)};
    }
    GraphEdit operator()(const RenameNode& edit) const {
        auto& node = nodeOf(scenario, edit.id);
        checkText(edit.name, "nodes." + edit.id.value + ".name");
        return RenameNode{edit.id, std::exchange(node.name, edit.name)};
    }
    GraphEdit operator()(const SetRole& edit) const {
        auto& node = nodeOf(scenario, edit.id);
        checkRole(edit.id, node.device.kind, edit.role);
        return SetRole{edit.id, std::exchange(node.role, edit.role)};
    }
    GraphEdit operator()(const SetDevice& edit) const {
        auto& node = nodeOf(scenario, edit.id);
        const auto role = edit.role.value_or(node.role);
        SetDevice inverse{edit.id, node.device, node.runtime, node.role};
        node.role = canHaveRole(edit.device->kind, role) ? role
                    : isAccelerator(edit.device->kind)   ? Role::Both
                                                         : Role::Fabric;
        node.device = edit.device;
        node.runtime = edit.runtime;
        return inverse;
    }
    GraphEdit operator()(const AddLink& edit) const {
        checkId(edit.link->id.value, "link");
        if (has(edit.link->id))
            throwInvalid("links." + edit.link->id.value, "a link of this id is there already");
        for (const auto* end : {&edit.link->from, &edit.link->to})
            if (!has(*end))
                nodeOf(scenario, *end); // throws
        if (edit.link->from == edit.link->to)
            throwInvalid("links." + edit.link->id.value, "links a node to itself",
                         "Link two different nodes");
        checkSize(scenario.links.size() + 1, kMaxLinks, "links");
        insertAt(scenario.links, edit.index, *edit.link);
        if (known)
            known->add(edit.link);
        return RemoveLink{edit.link->id};
    }
    GraphEdit operator()(const RemoveLink& edit) const {
        auto& link = linkOf(scenario, edit.id);
        const auto index = indexIn(scenario.links, link);
        if (known)
            known->remove(link);
        AddLink inverse{std::move(link), index};
        scenario.links.erase(scenario.links.begin() + static_cast<std::ptrdiff_t>(index));
        return withArrowsOff(scenario, std::move(inverse),
                             [&](const auto& at) { return at == NoteTarget(edit.id); });
    }
    GraphEdit operator()(const SetLinkType& edit) const {
        return SetLinkType{edit.id, std::exchange(linkOf(scenario, edit.id).type, edit.type)};
    }
    GraphEdit operator()(const SetModel& edit) const {
        return SetModel{std::exchange(scenario.model, edit.model)};
    }
    GraphEdit operator()(const SetDraft& edit) const {
        return SetDraft{std::exchange(scenario.draft, edit.model)};
    }
    GraphEdit operator()(const SetWorkload& edit) const {
        return SetWorkload{std::exchange(scenario.workload, edit.workload)};
    }
    GraphEdit operator()(const SetSystem& edit) const {
        checkSize(edit.nodes.size(), kMaxNodes, "nodes");
        checkSize(edit.links.size(), kMaxLinks, "links");
        SetSystem inverse{scenario.name, std::exchange(scenario.nodes, edit.nodes),
                          std::exchange(scenario.links, edit.links),
                          std::exchange(scenario.techniques, edit.techniques)};
        if (known)
            *known = KnownIds(scenario);
        return withArrowsOff(scenario, std::move(inverse), [this](const NoteTarget& at) {
            const auto* node = std::get_if<NodeId>(&at);
            const auto* link = std::get_if<LinkId>(&at);
            return (node && !scenario.findNode(*node)) || (link && !scenario.findLink(*link));
        });
    }
    GraphEdit operator()(const SetServing& edit) const {
        return SetServing{std::exchange(scenario.serving, edit.serving)};
    }
    GraphEdit operator()(const SetArrivals& edit) const {
        return SetArrivals{std::exchange(scenario.serving.arrivals, edit.kind)};
    }
    GraphEdit operator()(const SetBatching& edit) const {
        return SetBatching{std::exchange(scenario.serving.batching, edit.kind)};
    }
    GraphEdit operator()(const SetTechnique& edit) const {
        const auto& technique = techniqueOf(edit.id);
        auto& settings = scenario.techniques[technique];
        if (edit.option.empty())
            return SetTechnique{edit.id, std::exchange(settings.enabled, edit.enabled), {}};
        const auto option = optionOf(technique, edit.option);
        const bool before = settings.isOn(option);
        settings.switchOn(option, edit.enabled);
        return SetTechnique{edit.id, before, edit.option};
    }
    GraphEdit operator()(const SetQuantity& edit) const {
        const auto resolved = resolveQuantity(scenario, edit.path);
        if (edit.quantity.isSet())
            checkRange(resolved.spec, toEdge(edit.quantity.value, resolved.spec.scale), edit.path);
        else if (resolved.spec.required)
            throwInvalid(edit.path, "cannot be cleared", "Give " + rangeText(resolved.spec));
        return SetQuantity{edit.path, std::exchange(resolved.access(scenario), edit.quantity)};
    }
    GraphEdit operator()(const SetDescription& edit) const {
        checkText(edit.name, "name");
        checkText(edit.about, "about");
        SetDescription inverse{scenario.name, scenario.about};
        scenario.name = edit.name;
        scenario.about = edit.about;
        return inverse;
    }
    GraphEdit operator()(const PutPart& edit) const {
        return std::visit([&](const auto& part) { return put(partsOf(part), part, edit.index); }, *edit.part);
    }
    GraphEdit operator()(const DropPart& edit) const {
        switch (edit.kind) {
        case PartKind::Device:
            return drop(scenario.own.devices, edit.id);
        case PartKind::Model:
            return drop(scenario.own.models, edit.id);
        case PartKind::Workload:
            break;
        }
        return drop(scenario.own.workloads, edit.id);
    }
    GraphEdit operator()(const PutNote& edit) const { return putNote(scenario, edit); }
    GraphEdit operator()(const DropNote& edit) const { return dropNote(scenario, edit); }
    GraphEdit operator()(const SetFrontier& edit) const {
        return SetFrontier{std::exchange(scenario.frontier, edit.frontier)};
    }
    GraphEdit operator()(const EditList& list) const {
        EditList inverse;
        inverse.edits.reserve(list.edits.size());
        std::optional<KnownIds> ids;
        const Applier one{scenario, known                             ? known
                                    : list.edits.size() >= kManyEdits ? &ids.emplace(scenario)
                                                                      : nullptr};
        try {
            for (const auto& edit : list.edits)
                inverse.edits.push_back(std::visit(one, edit));
        } catch (...) { // all or nothing
            for (auto it = inverse.edits.rbegin(); it != inverse.edits.rend(); ++it)
                std::visit(one, *it);
            throw;
        }
        std::reverse(inverse.edits.begin(), inverse.edits.end());
        return inverse;
    }
};

/// What an edit does, in words.
struct Describer {
    const Scenario& before;

    std::string node(const NodeId& id) const {
        const auto* found = before.findNode(id);
        return found ? found->shownName() : id.value;
    }
    std::string operator()(const AddNode& edit) const { return "Add " + edit.node->shownName(); }
    std::string operator()(const RemoveNode& edit) const { return "Remove " + node(edit.id); }
    std::string operator()(const MoveNode& edit) const { return "Move " + node(edit.id); }
    std::string operator()(const RenameNode& edit) const { return "Rename " + node(edit.id); }
    std::string operator()(const SetRole& edit) const {
        return "Set role of " + node(edit.id) + " to " + std::string(roleName(edit.role));
    }
    std::string operator()(const SetDevice& edit) const {
        const auto* old = before.findNode(edit.id);
        if (old && old->device == edit.device && *edit.runtime && old->runtime &&
            old->runtime->id == (*edit.runtime)->id)
            return "Change " + (*edit.runtime)->name + " on " + node(edit.id);
        if (old && old->device == edit.device && *edit.runtime)
            return "Run " + (*edit.runtime)->name + " on " + node(edit.id);
        const auto change = old ? runtimeChange(*old, edit.runtime) : std::string();
        return "Replace " + node(edit.id) + " by " + edit.device->name +
               (change.empty() ? "" : ", " + change);
    }
    std::string operator()(const AddLink& edit) const {
        return "Link " + node(edit.link->from) + " to " + node(edit.link->to);
    }
    std::string operator()(const RemoveLink& edit) const {
        const auto* link = before.findLink(edit.id);
        return link ? "Remove link " + node(link->from) + " to " + node(link->to) : "Remove link";
    }
    std::string operator()(const SetLinkType& edit) const { return "Set link to " + edit.type->name; }
    std::string operator()(const SetModel& edit) const { return "Set model to " + edit.model->name; }
    std::string operator()(const SetDraft& edit) const {
        return *edit.model ? "Guess with " + (*edit.model)->name : "Guess with the model's own layers";
    }
    std::string operator()(const SetWorkload& edit) const {
        return "Set workload to " + (edit.workload->name.empty() ? "own" : edit.workload->name);
    }
    std::string operator()(const SetSystem& edit) const { return "Set system to " + edit.name; }
    std::string operator()(const SetServing& edit) const {
        const auto& old = before.serving;
        if (edit.serving->arrivals != old.arrivals)
            return "Set arrivals to " + std::string(edit.serving->arrivals->id());
        if (edit.serving->batching != old.batching)
            return "Set batching to " + std::string(edit.serving->batching->id());
        return edit.serving->trace == old.trace ? "Set arrivals" : "Choose a request trace";
    }
    std::string operator()(const SetArrivals& edit) const {
        return "Set arrivals to " + std::string(edit.kind->id());
    }
    std::string operator()(const SetBatching& edit) const {
        return "Set batching to " + std::string(edit.kind->id());
    }
    std::string operator()(const SetTechnique& edit) const {
        const auto& technique = techniqueOf(edit.id);
        std::string label(edit.option.empty() ? technique.label()
                                              : technique.options()[optionOf(technique, edit.option)].label);
        if (label.size() > 1 && label[1] >= 'a' && label[1] <= 'z') // not "L2 prefetch", "X-cache"
            label[0] = static_cast<char>(std::tolower(label[0]));
        return (edit.enabled ? "Switch on " : "Switch off ") + label;
    }
    std::string operator()(const SetQuantity& edit) const {
        const auto spec = resolveQuantity(before, edit.path).spec;
        const auto subject =
            edit.path.starts_with("nodes.")
                ? propertyOf(node(NodeId{edit.path.substr(6, edit.path.find('.', 6) - 6)}), spec.label)
                : std::string(spec.label);
        if (!edit.quantity.isSet())
            return "Clear " + subject;
        const auto unit = spec.unit.empty() ? std::string() : " " + std::string(spec.unit);
        return "Set " + subject + " to " + exactText(toEdge(edit.quantity.value, spec.scale)) + unit;
    }
    std::string operator()(const SetDescription&) const { return "Rename the design"; }
    std::string operator()(const PutPart& edit) const {
        return std::visit([](const auto& part) { return "Keep " + part.name + " in the design"; },
                          *edit.part);
    }
    std::string operator()(const DropPart& edit) const {
        return "Take " + edit.id + " out of the design\u2019s own parts";
    }
    std::string operator()(const PutNote& edit) const { return describeNote(before, edit); }
    std::string operator()(const DropNote&) const { return "Remove a note"; }
    std::string operator()(const SetFrontier&) const { return "Change the frontier"; }
    std::string operator()(const EditList& list) const {
        if (!list.text.empty())
            return list.text;
        return describeList(before, list);
    }
};

} // namespace

bool EditList::operator==(const EditList& other) const {
    return edits == other.edits;
}

bool changesNothing(const GraphEdit& edit, const GraphEdit& inverse) {
    const auto* list = std::get_if<EditList>(&edit);
    const auto* back = std::get_if<EditList>(&inverse);
    if (!list || !back)
        return edit == inverse;
    return std::equal(list->edits.begin(), list->edits.end(), back->edits.rbegin(), back->edits.rend(),
                      changesNothing);
}

GraphEdit applyEdit(Scenario& scenario, const GraphEdit& edit) {
    return std::visit(Applier{scenario}, edit);
}

GraphEdit removeEdit(const Scenario& scenario, const std::vector<NodeId>& nodes,
                     const std::vector<LinkId>& links, const std::vector<NoteId>& notes) {
    const auto listed = [](const auto& ids, const auto& id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    EditList list;
    for (const auto& link : scenario.links)
        if (listed(links, link.id) || listed(nodes, link.from) || listed(nodes, link.to))
            list.edits.push_back(RemoveLink{link.id});
    for (const auto& id : nodes)
        list.edits.push_back(RemoveNode{id});
    for (const auto& id : notes)
        list.edits.push_back(DropNote{id});
    return list;
}

std::string describe(const Scenario& before, const GraphEdit& edit) {
    return std::visit(Describer{before}, edit);
}

} // namespace heteroscape::engine
