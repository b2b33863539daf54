// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/placing.h"

#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"

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

} // namespace heteroscape::widgets
