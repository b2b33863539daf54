// SPDX-License-Identifier: GPL-3.0-or-later
// What CanvasView does to where nodes stand: arranging, automatic layout, the clipboard, the mini-map.
#include "widgets/canvas/canvas_clipboard.h"
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/mini_map.h"

#include "engine/base/error.h"
#include "engine/scenario/clip.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>

#include <cmath>
#include <map>

namespace heteroscape::widgets {

namespace {

constexpr double kPasteStep = 3 * kSnap;
constexpr int kOverlayGap = 8;      ///< between mini-map and zoom bar
constexpr int kMapLeavesRoom = 420; ///< px of canvas, across and down, below which a map would hide too much

/// The selected nodes and, when that is too few, all.
std::vector<engine::NodeId> nodesToLayOut(const Document& document) {
    if (document.selection().nodes.size() >= 2)
        return document.selection().nodes;
    std::vector<engine::NodeId> all;
    for (const auto& node : document.scenario().nodes)
        all.push_back(node.id);
    return all;
}

} // namespace

// Arranging
// -----------------------------------------------------------------------------------------------------------

std::vector<ArrangeBox> CanvasView::selectedBoxes() const {
    std::vector<ArrangeBox> boxes;
    for (const auto& id : m_document.selection().nodes)
        if (const auto* item = m_scene->nodeItem(id))
            boxes.push_back({id, item->cardRect()});
    return boxes;
}

void CanvasView::align(Align how) {
    const auto boxes = selectedBoxes();
    const auto edit = boxes.size() < 2 ? engine::EditList{} : alignEdit(boxes, how);
    if (!edit.edits.empty())
        m_document.perform(edit, {}, arrangeText(how));
}

void CanvasView::distribute(Distribute how) {
    const auto edit = distributeEdit(selectedBoxes(), how);
    if (!edit.edits.empty())
        m_document.perform(edit, {}, arrangeText(how));
}

void CanvasView::layOut(LayoutDirection direction) {
    const auto ids = nodesToLayOut(m_document);
    std::map<engine::NodeId, std::size_t> indices;
    std::vector<QSizeF> sizes;
    QRectF before;
    for (const auto& id : ids) {
        const auto rect = m_scene->nodeItem(id)->cardRect();
        indices[id] = sizes.size();
        sizes.push_back(rect.size());
        before |= rect;
    }
    std::vector<LinkEnds> links;
    for (const auto& link : m_document.scenario().links) {
        const auto from = indices.find(link.from);
        const auto to = indices.find(link.to);
        if (from != indices.end() && to != indices.end())
            links.push_back({from->second, to->second});
    }
    const auto places = layeredPlaces(sizes, links, direction);
    if (places.size() != ids.size())
        return;
    QRectF after;
    for (std::size_t i = 0; i < places.size(); ++i)
        after |= QRectF(places[i], sizes[i]);
    const auto shift = before.center() - after.center();
    engine::EditList list;
    for (std::size_t i = 0; i < places.size(); ++i)
        list.edits.push_back(engine::MoveNode{ids[i], toPosition(snapped(places[i] + shift))});
    const bool all = ids.size() == m_document.scenario().nodes.size();
    m_document.perform(list, {}, all ? tr("Lay out the design") : tr("Lay out the selection"));
    if (all)
        fitAll();
}

void CanvasView::addArrangeMenu(QMenu& menu) {
    const auto selected = m_document.selection().nodes.size();
    auto* arrange = menu.addMenu(tr("Arrange"));
    for (const auto how :
         {Align::Left, Align::Centre, Align::Right, Align::Top, Align::Middle, Align::Bottom})
        arrange->addAction(arrangeText(how), this, [this, how] { align(how); })->setEnabled(selected >= 2);
    arrange->addSeparator();
    for (const auto how : {Distribute::Horizontally, Distribute::Vertically})
        arrange->addAction(arrangeText(how), this, [this, how] { distribute(how); })
            ->setEnabled(selected >= 3);
    arrange->addSeparator();
    const bool several = m_scene->nodeCount() >= 2;
    arrange
        ->addAction(tr("Lay out from left to right"), this, [this] { layOut(LayoutDirection::LeftToRight); })
        ->setEnabled(several);
    arrange->addAction(tr("Lay out from top to bottom"), this, [this] { layOut(LayoutDirection::TopDown); })
        ->setEnabled(several);
}

// Snapping
// ------------------------------------------------------------------------------------------------------------

bool CanvasView::snapsWith(Qt::KeyboardModifiers modifiers) const {
    return m_snaps != modifiers.testFlag(Qt::ControlModifier);
}

QPointF CanvasView::snappedPlace(QPointF scenePoint, Qt::KeyboardModifiers modifiers) const {
    if (snapsWith(modifiers))
        return snapped(scenePoint);
    return {std::round(scenePoint.x()), std::round(scenePoint.y())}; // whole px stay sharp
}

void CanvasView::setSnaps(bool snaps) {
    m_snaps = snaps;
}

// Clipboard
// -----------------------------------------------------------------------------------------------------------

void CanvasView::copySelection() {
    const auto& nodes = m_document.selection().nodes;
    if (nodes.empty())
        return;
    QApplication::clipboard()->setMimeData(encodeNodes(m_document.scenario(), nodes).release());
    m_pastes = 0;
}

void CanvasView::cutSelection() {
    const auto nodes = m_document.selection().nodes;
    if (nodes.empty())
        return;
    copySelection();
    m_document.perform(engine::removeEdit(m_document.scenario(), nodes, {}), {},
                       nodes.size() == 1 ? tr("Cut a node") : tr("Cut %1 nodes").arg(nodes.size()));
}

QPointF CanvasView::pasteOffset(const std::string& text, const QRectF& copied) {
    if (m_pointer)
        return snapped(mapToScene(*m_pointer) - copied.center());
    m_pastes = text == m_pasted ? m_pastes + 1 : 1;
    m_pasted = text;
    return QPointF(kPasteStep, kPasteStep) * m_pastes;
}

void CanvasView::paste() {
    const auto text = nodesText(QApplication::clipboard()->mimeData());
    if (text.empty()) {
        emit message(tr("There are no nodes on the clipboard"));
        return;
    }
    try {
        const auto clip = engine::readClip(text, tr("clipboard").toStdString());
        QRectF copied;
        for (const auto& node : clip.nodes)
            copied |= cardRectAt(toPoint(node.position));
        Selection pasted;
        const auto edit = engine::pasteEdit(m_document.scenario(), clip,
                                            toPosition(pasteOffset(text, copied)), pasted.nodes);
        const auto count = pasted.nodes.size();
        if (!m_document.perform(
                edit, {},
                count == 1 ? tr("Paste %1").arg(QString::fromStdString(clip.nodes.front().shownName()))
                           : tr("Paste %1 nodes").arg(count)))
            return;
        const auto seen = mapToScene(viewport()->rect()).boundingRect();
        const auto content = m_scene->contentRect(pasted.nodes);
        m_document.select(std::move(pasted));
        if (!seen.intersects(content))
            centerOn(content.center());
    } catch (const engine::Error& error) {
        emit message(QString::fromStdString(error.what()));
    }
}

// Mini-map
// ------------------------------------------------------------------------------------------------------------

void CanvasView::setMiniMapShown(bool shown) {
    m_showMiniMap = shown;
    placeMiniMap();
}

void CanvasView::refreshMiniMap() {
    std::vector<MiniMap::Box> boxes;
    boxes.reserve(m_scene->nodes().size());
    for (const auto* item : m_scene->nodes())
        boxes.push_back({item->cardRect(), Theme::instance().kind(item->card().kind)});
    m_miniMap->setBoxes(std::move(boxes));
    placeMiniMap();
}

void CanvasView::placeMiniMap() {
    const auto size = viewport()->size();
    const auto seen = mapToScene(viewport()->rect()).boundingRect();
    const bool room =
        size.width() >= kMapLeavesRoom && size.height() >= kMapLeavesRoom / 2 + m_miniMap->height();
    m_miniMap->setVisible(m_showMiniMap && room && m_scene->nodeCount() > 0 &&
                          !seen.contains(m_miniMap->content()));
    if (m_miniMap->isHidden())
        return;
    m_miniMap->setSeen(seen);
    m_miniMap->move(size.width() - m_miniMap->width() - 16,
                    m_zoomBar->y() - m_miniMap->height() - kOverlayGap);
}

} // namespace heteroscape::widgets
