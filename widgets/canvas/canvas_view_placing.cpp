// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"

#include <QDragEnterEvent>
#include <QPushButton>

#include <algorithm>

// Placing devices, linking them and choosing what they run.

namespace heteroscape::widgets {

namespace {

constexpr double kColumn = 344; ///< from card to card, with room for what a link is labelled with
constexpr double kRow = 240;

QString nameOf(const engine::Scenario& scenario, const engine::NodeId& id) {
    const auto* node = scenario.findNode(id);
    return node ? QString::fromStdString(node->shownName()) : QString();
}

} // namespace

void CanvasView::addNode(const engine::Device& device, QPointF topLeft) {
    const auto edit = placeEdit(m_document, device, topLeft);
    const auto id = edit.node.id;
    if (m_document.perform(edit)) {
        m_document.select({{id}, {}});
        offerLinks(id);
    }
    setFocus();
}

QPointF CanvasView::freePlace(const engine::Device& device) const {
    const QSizeF size(kCardWidth, cardHeight(cardOf(device)));
    const auto taken = [&](QPointF place) { return !m_scene->nodesIn({place, size}).empty(); };
    const auto partners = linkPartners(m_document, device);
    if (const auto* beside = partners.empty() ? nullptr : m_scene->nodeItem(partners.front())) {
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
    auto place = snapped(mapToScene(viewport()->rect().center()) - QPointF(kCardWidth, kCardHeight) / 2);
    while (taken(place))
        place += QPointF(0, kCardHeight + 3 * kSnap + 1);
    return place;
}

void CanvasView::placeDevice(const QString& deviceId) {
    const auto& devices = m_document.catalog().devices;
    const auto found =
        std::find_if(devices.begin(), devices.end(),
                     [id = deviceId.toStdString()](const auto& device) { return device.id == id; });
    if (found == devices.end())
        return;
    addNode(*found, freePlace(*found));
    showAllOfDesign();
}

void CanvasView::showAllOfDesign() {
    const auto& placed = m_document.selection().nodes;
    const auto* item = placed.empty() ? nullptr : m_scene->nodeItem(placed.front());
    const auto seen = mapToScene(viewport()->rect()).boundingRect();
    const double below = kOverlayRoom / zoom();
    if (item && !seen.adjusted(16, 16, -16, -below).contains(item->cardRect()))
        fitAll();
}

void CanvasView::addGroup(const engine::ReadyGroup& group, QPointF topLeft) {
    std::vector<engine::NodeId> placed;
    auto edit = engine::pasteEdit(m_document.scenario(), group.clip, {topLeft.x(), topLeft.y()}, placed);
    edit.text = "Place " + group.name;
    if (m_document.perform(edit))
        m_document.select({{placed.front()}, {}});
    setFocus();
}

void CanvasView::placeGroup(const std::string& groupId) {
    const auto group = engine::loadGroup(m_document.catalog(), groupId);
    const auto size = groupSize(group);
    const auto centre = mapToScene(viewport()->rect().center());
    addGroup(group,
             freePlaceNear(*m_scene, snapped(centre - QPointF(size.width(), size.height()) / 2), size));
    showAllOfDesign();
}

bool CanvasView::placePart(const PartRef& part) {
    const auto id = QString::fromStdString(part.id);
    if (part.kind == PartKind::Group) {
        placeGroup(part.id);
        return true;
    }
    if (part.kind == PartKind::Device) {
        placeDevice(id);
        return true;
    }
    if (part.kind == PartKind::Runtime) {
        const auto* before = m_document.undoStack()->command(m_document.undoStack()->index() - 1);
        chooseRuntime(id);
        return m_document.undoStack()->command(m_document.undoStack()->index() - 1) != before;
    }
    const auto targets = dropTargets(part, m_document, *m_scene);
    const auto& selected = m_document.selection().nodes;
    const auto* at = selected.size() == 1 ? m_scene->nodeItem(selected.front()) : nullptr;
    const bool technique = part.kind == PartKind::Technique; // of the system: any of its places will do
    if (targets && !at && (technique ? !targets->nodes().empty() : targets->nodes().size() == 1))
        at = m_scene->nodeItem(targets->nodes().front());
    const auto place = at ? at->cardRect().center() : m_scene->contentRect().topLeft() - QPointF(1e4, 1e4);
    const auto plan = targets ? targets->at({place, place}) : DropPlan{};
    if (plan.verdict != DropPlan::Verdict::Takes) {
        emit message(plan.hint);
        return false;
    }
    targets->drop(*this, plan);
    return true;
}

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
    if (PlaceTool::isForWindow(*event)) {
        event->ignore();
        return;
    }
    m_place.move(*event);
    // Entering is always accepted: only so do the moves arrive that explain a refusal.
    event->accept();
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
    m_place.move(*event);
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent*) {
    m_place.leave();
}

void CanvasView::dropEvent(QDropEvent* event) {
    m_place.drop(*event);
}

void CanvasView::offerLinks(const engine::NodeId& placed) {
    const auto* node = m_document.scenario().findNode(placed);
    m_offered = placed;
    m_partners = node ? linkPartners(m_document, node->device, placed) : std::vector<engine::NodeId>();
    refreshOffer();
}

void CanvasView::refreshOffer() {
    std::erase_if(m_partners, [this](const engine::NodeId& partner) {
        return !linkRefusal(m_document, m_offered, partner).isEmpty();
    });
    const bool offered = !m_partners.empty();
    if (!offered && m_linkOffer->button()->hasFocus())
        setFocus(Qt::OtherFocusReason);
    m_linkOffer->setVisible(offered);
    if (!offered)
        return;
    const auto& scenario = m_document.scenario();
    QStringList names;
    for (const auto& partner : m_partners)
        names << nameOf(scenario, partner);
    m_linkOffer->offer(
        tr("Link %1 to %2?").arg(nameOf(scenario, m_offered), names.join(QStringLiteral(", "))));
    placeOverlays();
}

void CanvasView::linkOffered() {
    const auto& nodes = m_document.selection().nodes;
    if (!m_partners.empty()) {
        m_document.perform(linksEdit(m_document, m_offered, m_partners));
        setFocus(Qt::OtherFocusReason);
        return;
    }
    if (nodes.size() != 2)
        return;
    if (const auto refusal = linkRefusal(m_document, nodes[0], nodes[1]); !refusal.isEmpty()) {
        emit message(refusal);
        return;
    }
    m_document.perform(linksEdit(m_document, nodes[0], {nodes[1]}));
}

void CanvasView::chooseRuntime(const QString& runtimeId) {
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
        emit message(tr("Nothing here runs %1: place an accelerator for it first").arg(name));
        return;
    }
    if (selected.empty() && possible.size() > 1) {
        emit message(tr("Select the accelerators that shall run %1").arg(name));
        return;
    }
    static int serial = 0;
    const auto gesture = QStringLiteral("runtime %1").arg(++serial); // of several nodes, one undo step
    for (const auto& node : selected.empty() ? possible : selected)
        m_document.set("nodes." + node.value + ".runtime", id, gesture);
}

} // namespace heteroscape::widgets
