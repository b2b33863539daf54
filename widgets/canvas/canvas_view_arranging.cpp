// SPDX-License-Identifier: GPL-3.0-or-later
// What CanvasView does about where nodes stand: snapping, the clipboard, the mini-map.
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
#include <QMimeData>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kPasteStep = 3 * kSnap;
constexpr int kOverlayGap = 8;      ///< between mini-map and zoom bar
constexpr int kMapLeavesRoom = 420; ///< px of canvas, across and down, below which a map would hide too much

} // namespace

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
    const auto& selection = m_document.selection();
    if (selection.nodes.empty() && selection.notes.empty())
        return;
    QApplication::clipboard()->setMimeData(encodeSelection(m_document.scenario(), selection).release());
    m_pastes = 0;
}

void CanvasView::cutSelection() {
    const auto [nodes, links, notes] = m_document.selection();
    if (nodes.empty() && notes.empty())
        return;
    copySelection();
    m_document.perform(engine::removeEdit(m_document.scenario(), nodes, {}, notes), {},
                       nodes.empty()       ? tr("Cut notes")
                       : nodes.size() == 1 ? tr("Cut a node")
                                           : tr("Cut %1 nodes").arg(nodes.size()));
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
        emit message(tr("There are no nodes or notes on the clipboard"));
        return;
    }
    try {
        const auto clip = engine::readClip(text, tr("clipboard").toStdString());
        QRectF copied;
        for (const auto& node : clip.nodes)
            copied |= cardRectAt(toPoint(node.position));
        for (const auto& note : clip.notes)
            copied |= QRectF(toPoint(note.position), QSizeF(note.width, note.height));
        Selection pasted;
        const auto edit = engine::pasteEdit(
            m_document.scenario(), clip, toPosition(pasteOffset(text, copied)), pasted.nodes, &pasted.notes);
        const auto count = pasted.nodes.size();
        if (!m_document.perform(
                edit, {},
                count == 0   ? tr("Paste notes")
                : count == 1 ? tr("Paste %1").arg(QString::fromStdString(clip.nodes.front().shownName()))
                             : tr("Paste %1 nodes").arg(count)))
            return;
        const auto seen = mapToScene(viewport()->rect()).boundingRect();
        auto content = pasted.nodes.empty() ? QRectF() : m_scene->contentRect(pasted.nodes);
        for (const auto& id : pasted.notes)
            content |= m_scene->notes().item(id)->rect();
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
