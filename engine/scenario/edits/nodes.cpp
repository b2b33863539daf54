// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of nodes, and of a whole system.
#include "engine/scenario/edits/edit_object.h"
#include "engine/scenario/runtime_choice.h"

namespace heteroscape::engine {

namespace {

void checkRole(const NodeId& id, DeviceKind kind, Role role) {
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

struct AddNodeEdit final : EditOf<AddNode> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        checkId(edit.node->id.value, "node");
        checkRole(edit.node->id, edit.node->device.kind, edit.node->role);
        if (hasNode(scenario, known, edit.node->id))
            throwInvalid("nodes." + edit.node->id.value, "a node of this id is there already");
        checkText(edit.node->name, "nodes." + edit.node->id.value + ".name");
        checkPlace(edit.node->position, "nodes." + edit.node->id.value);
        checkSize(scenario.nodes.size() + 1, kMaxNodes, "nodes");
        insertAt(scenario.nodes, edit.index, *edit.node);
        if (known)
            known->add(edit.node);
        return RemoveNode{edit.node->id};
    }
    std::string words(const Scenario&) const override { return "Add " + edit.node->shownName(); }
};

struct RemoveNodeEdit final : EditOf<RemoveNode> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        auto& node = nodeOf(scenario, edit.id);
        const bool maybeLinked = !known || known->isLinked(edit.id);
        for (std::size_t i = 0; maybeLinked && i < scenario.links.size(); ++i)
            if (const auto& link = scenario.links[i]; link.from == edit.id || link.to == edit.id)
                throwInvalid("nodes." + edit.id.value, "link \"" + link.id.value + "\" still ends here",
                             "Remove the link first");
        const auto index = indexIn(scenario.nodes, node);
        if (known)
            known->remove(node);
        AddNode inverse{std::move(node), index};
        scenario.nodes.erase(scenario.nodes.begin() + static_cast<std::ptrdiff_t>(index));
        return withArrowsOff(scenario, std::move(inverse),
                             [&](const auto& at) { return at == NoteTarget(edit.id); });
    }
    std::string words(const Scenario& before) const override { return "Remove " + nodeName(before, edit.id); }
};

struct MoveNodeEdit final : EditOf<MoveNode> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        auto& node = nodeOf(scenario, edit.id);
        checkPlace(edit.position, "nodes." + edit.id.value);
        return MoveNode{edit.id, std::exchange(node.position, edit.position)};
    }
    std::string words(const Scenario& before) const override { return "Move " + nodeName(before, edit.id); }
};

struct RenameNodeEdit final : EditOf<RenameNode> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        auto& node = nodeOf(scenario, edit.id);
        checkText(edit.name, "nodes." + edit.id.value + ".name");
        return RenameNode{edit.id, std::exchange(node.name, edit.name)};
    }
    std::string words(const Scenario& before) const override { return "Rename " + nodeName(before, edit.id); }
};

struct SetRoleEdit final : EditOf<SetRole> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        auto& node = nodeOf(scenario, edit.id);
        checkRole(edit.id, node.device.kind, edit.role);
        return SetRole{edit.id, std::exchange(node.role, edit.role)};
    }
    std::string words(const Scenario& before) const override {
        return "Set role of " + nodeName(before, edit.id) + " to " + std::string(roleName(edit.role));
    }
};

struct SetDeviceEdit final : EditOf<SetDevice> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        auto& node = nodeOf(scenario, edit.id);
        const auto role = edit.role.value_or(node.role);
        SetDevice inverse{edit.id, node.device, node.runtime, node.role,
                          Shared<std::optional<Server>>(node.server)};
        node.role = canHaveRole(edit.device->kind, role) ? role
                    : isAccelerator(edit.device->kind)   ? Role::Both
                                                         : Role::Fabric;
        node.device = edit.device;
        node.runtime = edit.runtime;
        if (edit.server)
            node.server = **edit.server;
        return inverse;
    }
    std::string words(const Scenario& before) const override {
        const auto* old = before.findNode(edit.id);
        const auto node = nodeName(before, edit.id);
        if (old && old->device == edit.device && *edit.runtime && old->runtime &&
            old->runtime->id == (*edit.runtime)->id)
            return "Change " + (*edit.runtime)->name + " on " + node;
        if (old && old->device == edit.device && *edit.runtime)
            return "Run " + (*edit.runtime)->name + " on " + node + serverChange(*old, edit);
        const auto change = old ? softwareChange(*old, edit) : std::string();
        return "Replace " + node + " by " + edit.device->name + (change.empty() ? "" : ", " + change);
    }
};

struct SetServerEdit final : EditOf<SetServer> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        auto& node = nodeOf(scenario, edit.id);
        SetServer inverse{edit.id, node.server};
        node.server = *edit.server;
        return inverse;
    }
    std::string words(const Scenario& before) const override {
        const auto& server = *edit.server;
        return server ? "Serve as " + server->name + " on " + nodeName(before, edit.id)
                      : "Take the server off " + nodeName(before, edit.id);
    }
};

struct SetSystemEdit final : EditOf<SetSystem> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        checkSize(edit.nodes.size(), kMaxNodes, "nodes");
        checkSize(edit.links.size(), kMaxLinks, "links");
        SetSystem inverse{scenario.name, std::exchange(scenario.nodes, edit.nodes),
                          std::exchange(scenario.links, edit.links),
                          std::exchange(scenario.techniques, edit.techniques)};
        if (known)
            known->take(scenario);
        return withArrowsOff(scenario, std::move(inverse), [&scenario](const NoteTarget& at) {
            const auto* node = std::get_if<NodeId>(&at);
            const auto* link = std::get_if<LinkId>(&at);
            return (node && !scenario.findNode(*node)) || (link && !scenario.findLink(*link));
        });
    }
    std::string words(const Scenario&) const override { return "Set system to " + edit.name; }
};

} // namespace

Node& nodeOf(Scenario& scenario, const NodeId& id) {
    return itemOf(scenario.nodes, id, "nodes.", "no such node");
}

bool hasNode(const Scenario& scenario, const KnownIds* known, const NodeId& id) {
    return known ? known->has(id) : scenario.findNode(id) != nullptr;
}

std::string nodeName(const Scenario& scenario, const NodeId& id) {
    const auto* found = scenario.findNode(id);
    return found ? found->shownName() : id.value;
}

GraphEdit::GraphEdit(AddNode edit) : m_object(std::make_shared<const AddNodeEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(RemoveNode edit) : m_object(std::make_shared<const RemoveNodeEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(MoveNode edit) : m_object(std::make_shared<const MoveNodeEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(RenameNode edit) : m_object(std::make_shared<const RenameNodeEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetRole edit) : m_object(std::make_shared<const SetRoleEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetDevice edit) : m_object(std::make_shared<const SetDeviceEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetServer edit) : m_object(std::make_shared<const SetServerEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetSystem edit) : m_object(std::make_shared<const SetSystemEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
