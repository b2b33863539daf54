// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_edits.h"

#include "engine/scenario/clip.h"
#include "engine/scenario/node_fields.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_words.h"
#include "widgets/document/by_id.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// An id may have 64 characters; this leaves room for the number that tells copies apart.
std::string stem(const std::string& id, std::size_t length = 48) {
    return id.substr(0, length);
}

engine::Role placedRole(const engine::Scenario& scenario, engine::DeviceKind kind) {
    if (!engine::isAccelerator(kind))
        return engine::Role::Fabric;
    if (!scenario.techniques.isOn(engine::disaggregation()))
        return engine::Role::Both;
    return kind == engine::DeviceKind::Fpga ? engine::Role::Decode : engine::Role::Prefill;
}

QString nameOf(const engine::Node& node) {
    return QString::fromStdString(node.shownName());
}

} // namespace

engine::AddNode placeEdit(const Document& document, const engine::Device& device, QPointF topLeft) {
    const auto& scenario = document.scenario();
    engine::Node node;
    node.id = engine::freshNodeId(scenario, stem(device.id));
    node.device = device;
    node.role = placedRole(scenario, device.kind);
    node.position = toPosition(topLeft);
    if (engine::isAccelerator(device.kind))
        if (const auto* runtime = document.catalog().defaultRuntime(device))
            node.runtime = runtime->on(device);
    return {std::move(node), scenario.nodes.size()};
}

engine::EditList duplicateEdit(const Document& document, QPointF offset, Selection& selection) {
    const auto& chosen = document.selection();
    auto clip = engine::clipOf(document.scenario(), chosen.nodes, chosen.notes);
    selection = {};
    return engine::pasteEdit(document.scenario(), std::move(clip), toPosition(offset), selection.nodes,
                             &selection.notes);
}

QString linkRefusal(const Document& document, const engine::NodeId& from, const engine::NodeId& to) {
    const auto& scenario = document.scenario();
    const auto* a = scenario.findNode(from);
    const auto* b = scenario.findNode(to);
    if (!a || !b)
        return tr("The node is gone");
    if (from == to)
        return tr("A node cannot be linked to itself");
    for (const auto& link : scenario.links)
        if ((link.from == from && link.to == to) || (link.from == to && link.to == from))
            return tr("%1 and %2 are linked already").arg(nameOf(*a), nameOf(*b));
    if (!document.catalog().defaultLink(a->device, b->device))
        return tr("%1 has no port for a link").arg(nameOf(a->device.ports.empty() ? *a : *b));
    return {};
}

engine::AddLink linkEdit(const Document& document, const engine::NodeId& from, const engine::NodeId& to) {
    const auto& scenario = document.scenario();
    const auto* type =
        document.catalog().defaultLink(scenario.findNode(from)->device, scenario.findNode(to)->device);
    const auto name = stem(from.value, 24) + "-" + stem(to.value, 24);
    return {engine::Link{engine::freshLinkId(scenario, name), from, to, *type}, scenario.links.size()};
}

namespace {

/// Links are drawn the way requests go: accelerator, host, switch, storage.
int order(engine::DeviceKind kind) {
    if (engine::isAccelerator(kind))
        return 0;
    if (kind == engine::DeviceKind::Cpu)
        return 1;
    return kind == engine::DeviceKind::Switch ? 2 : 3;
}

bool isLinkedTo(const engine::Scenario& scenario, const engine::NodeId& id, auto holds) {
    return std::any_of(scenario.links.begin(), scenario.links.end(), [&](const engine::Link& link) {
        if (link.from != id && link.to != id)
            return false;
        const auto* other = scenario.findNode(link.from == id ? link.to : link.from);
        return other && holds(other->device.kind);
    });
}

/// Whether a device looks for a node, as far as their kinds tell.
bool belongsTo(engine::DeviceKind device, engine::DeviceKind hub) {
    if (hub == engine::DeviceKind::Cpu)
        return device != engine::DeviceKind::Cpu;
    return hub == engine::DeviceKind::Switch && engine::isStorage(device);
}

} // namespace

std::vector<engine::NodeId> linkPartners(const Document& document, const engine::Device& device,
                                         const engine::NodeId& placed) {
    const auto& nodes = document.scenario().nodes;
    const auto fits = [&](const engine::Node& node) {
        return node.id != placed && document.catalog().defaultLink(device, node.device);
    };
    // Storage asks a switch first, and everything asks for one hub only.
    if (device.kind != engine::DeviceKind::Switch)
        for (const auto hub : {engine::DeviceKind::Switch, engine::DeviceKind::Cpu})
            for (const auto& node : nodes)
                if (node.device.kind == hub && belongsTo(device.kind, hub) && fits(node))
                    return {node.id};
    std::vector<engine::NodeId> found;
    for (const auto& node : nodes) {
        const auto kind = node.device.kind;
        const bool hub = device.kind == engine::DeviceKind::Switch && kind == engine::DeviceKind::Cpu;
        const bool waits = belongsTo(kind, device.kind) &&
                           !isLinkedTo(document.scenario(), node.id,
                                       [kind](engine::DeviceKind other) { return belongsTo(kind, other); });
        if ((hub || waits) && fits(node))
            found.push_back(node.id);
    }
    return found;
}

engine::EditList linksEdit(const Document& document, const engine::NodeId& node,
                           const std::vector<engine::NodeId>& partners) {
    engine::EditList list;
    auto at = document.scenario().links.size();
    for (const auto& partner : partners) {
        if (!linkRefusal(document, node, partner).isEmpty())
            continue;
        const auto& scenario = document.scenario();
        const bool forward =
            order(scenario.findNode(node)->device.kind) <= order(scenario.findNode(partner)->device.kind);
        auto edit = forward ? linkEdit(document, node, partner) : linkEdit(document, partner, node);
        edit.index = at++;
        list.edits.push_back(std::move(edit));
    }
    return list;
}

std::vector<engine::MoveNode> movesBy(const Document& document, const std::vector<engine::NodeId>& ids,
                                      QPointF distance) {
    const auto nodes = byId(document.scenario().nodes);
    std::vector<engine::MoveNode> moves;
    for (const auto& id : ids)
        if (const auto at = nodes.find(id.value); at != nodes.end())
            moves.push_back(
                {id, {at->second->position.x + distance.x(), at->second->position.y + distance.y()}});
    return moves;
}

std::vector<engine::Note> notesBy(const Document& document, const std::vector<engine::NoteId>& ids,
                                  QPointF distance) {
    std::vector<engine::Note> moved;
    for (const auto& id : ids)
        if (const auto* note = document.scenario().findNote(id)) {
            moved.push_back(*note);
            moved.back().position = toPosition(toPoint(note->position) + distance);
        }
    return moved;
}

engine::EditList moveEdit(const Document& document, const Selection& what, QPointF distance) {
    const auto moves = movesBy(document, what.nodes, distance);
    engine::EditList list;
    list.edits.assign(moves.begin(), moves.end());
    for (auto& note : notesBy(document, what.notes, distance))
        list.edits.push_back(engine::PutNote{std::move(note)});
    return list;
}

engine::EditList countEdit(const Document& document, const std::vector<engine::NodeId>& ids, int step) {
    engine::EditList list;
    const auto& spec = engine::findField(engine::nodeFields(), "count")->spec;
    for (const auto& id : ids) {
        const auto* node = document.scenario().findNode(id);
        if (!node)
            continue;
        const auto count = node->count.valueOr(1.0) + step;
        if (count >= spec.minimum && count <= spec.maximum)
            list.edits.push_back(
                engine::SetQuantity{"nodes." + id.value + ".count", {count, engine::Provenance::User, {}}});
    }
    return list;
}

} // namespace heteroscape::widgets
