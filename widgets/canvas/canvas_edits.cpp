// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_edits.h"

#include "engine/scenario/clip.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/runtime_choice.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/document/document.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kColumn = 344; ///< from card to card, with room for what a link is labelled with
constexpr double kRow = 240;

} // namespace

Placing::Placing(CanvasView& view) : m_view(view), m_document(view.document()) {}

bool Placing::snapsWith(Qt::KeyboardModifiers modifiers) const {
    return m_snaps != modifiers.testFlag(Qt::ControlModifier);
}

QPointF Placing::snappedPlace(QPointF scenePoint, Qt::KeyboardModifiers modifiers) const {
    if (snapsWith(modifiers))
        return snapped(scenePoint);
    return {std::round(scenePoint.x()), std::round(scenePoint.y())}; // whole px stay sharp
}

void Placing::addNode(const engine::Device& device, QPointF topLeft) {
    const auto edit = placeEdit(m_document, device, topLeft);
    const auto id = edit.node->id;
    if (m_document.perform(edit)) {
        m_document.select({{id}, {}});
        m_view.links().offerLinks(id);
    }
    m_view.setFocus();
}

QPointF Placing::freePlace(const engine::Device& device) const {
    const QSizeF size(kCardWidth, cardHeight(cardOf(device)));
    const auto taken = [&](QPointF place) { return !m_view.canvasScene().nodesIn({place, size}).empty(); };
    const auto partners = linkPartners(m_document, device);
    if (const auto* beside = partners.empty() ? nullptr : m_view.canvasScene().nodeItem(partners.front())) {
        // Below its host a switch, left of its switch the storage: so a system is about as wide as it is
        // high.
        const bool below = device.kind == engine::DeviceKind::Switch;
        const bool back = engine::isStorage(device.kind);
        auto place = snapped(beside->pos() + (below  ? QPointF(0, kRow)
                                              : back ? QPointF(-kColumn, 0)
                                                     : QPointF(kColumn, 0)));
        while (taken(place))
            place += below ? QPointF(kColumn, 0) : QPointF(0, kRow);
        return place;
    }
    auto place =
        snapped(m_view.mapToScene(m_view.viewport()->rect().center()) - QPointF(kCardWidth, kCardHeight) / 2);
    while (taken(place))
        place += QPointF(0, kCardHeight + 3 * kSnap + 1);
    return place;
}

void Placing::placeDevice(const QString& deviceId) {
    const auto& devices = m_document.catalog().devices;
    const auto found = std::ranges::find(devices, deviceId.toStdString(), &engine::Device::id);
    if (found == devices.end())
        return;
    addNode(*found, freePlace(*found));
    m_view.camera().showPlaced();
}

void Placing::addGroup(const engine::ReadyGroup& group, QPointF topLeft) {
    std::vector<engine::NodeId> placed;
    auto edit = engine::pasteEdit(m_document.scenario(), group.clip, {topLeft.x(), topLeft.y()}, placed);
    edit.text = "Place " + group.name;
    if (m_document.perform(edit))
        m_document.select({{placed.front()}, {}});
    m_view.setFocus();
}

void Placing::placeGroup(const std::string& groupId) {
    const auto group = engine::loadGroup(m_document.catalog(), groupId);
    const auto size = groupSize(group);
    const auto centre = m_view.mapToScene(m_view.viewport()->rect().center());
    addGroup(group, freePlaceNear(m_view.canvasScene(),
                                  snapped(centre - QPointF(size.width(), size.height()) / 2), size));
    m_view.camera().showPlaced();
}

void Placing::chooseRuntime(const QString& runtimeId) {
    const auto& scenario = m_document.scenario();
    const auto id = runtimeId.toStdString();
    const auto& runtimes = m_document.catalog().runtimes;
    const auto entry =
        std::find_if(runtimes.begin(), runtimes.end(), [&id](const auto& one) { return one.base.id == id; });
    if (entry == runtimes.end())
        return;
    const auto name = QString::fromStdString(entry->base.name);
    std::vector<engine::NodeId> selected;
    std::vector<engine::NodeId> possible;
    for (const auto& node : scenario.nodes) {
        if (!engine::isAccelerator(node.device.kind) || !engine::runsOn(entry->base, node.device.kind))
            continue;
        possible.push_back(node.id);
        const auto& chosen = m_document.selection().nodes;
        if (std::find(chosen.begin(), chosen.end(), node.id) != chosen.end())
            selected.push_back(node.id);
    }
    if (possible.empty()) {
        emit m_view.message(tr("Nothing here runs %1: place an accelerator for it first").arg(name));
        return;
    }
    if (selected.empty() && possible.size() > 1) {
        emit m_view.message(tr("Select the accelerators that shall run %1").arg(name));
        return;
    }
    static int serial = 0;
    const auto gesture = QStringLiteral("runtime %1").arg(++serial); // of several nodes, one undo step
    for (const auto& node : selected.empty() ? possible : selected)
        m_document.set("nodes." + node.value + ".runtime", id, gesture);
}

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
    engine::placeSoftware(node, document.catalog());
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

#include "moc_canvas_edits.cpp"
