// SPDX-License-Identifier: GPL-3.0-or-later
// The events of CanvasView: which tool a press starts, what a key means.
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/count_editor.h"
#include "widgets/canvas/link_kind_bar.h"
#include "widgets/canvas/link_tool.h"
#include "widgets/canvas/note_tools.h"
#include "widgets/canvas/pan_tool.h"
#include "widgets/canvas/select_tool.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

void CanvasView::mousePressEvent(QMouseEvent* event) {
    event->accept();
    if (m_tool)
        return;
    const auto place = mapToScene(event->pos());
    const bool left = event->button() == Qt::LeftButton;
    m_pressed = {};
    if (event->button() == Qt::MiddleButton || (left && m_spaceDown))
        m_tool = std::make_unique<PanTool>(*this);
    else if (auto tool = left ? noteToolAt(*this, place) : nullptr)
        m_tool = std::move(tool);
    else if (const auto* port = left && !m_scene->notes().at(place) ? m_scene->portAt(place) : nullptr)
        m_tool = std::make_unique<LinkTool>(*this, port->id());
    else if (left)
        m_tool = std::make_unique<SelectTool>(*this);
    if (const auto* node = m_scene->notes().at(place) ? nullptr : m_scene->nodeAt(place);
        node && left && !m_spaceDown && !m_scene->portAt(place) && event->modifiers() == Qt::NoModifier)
        m_pressed = {node->id(), node->partAt(place), event->pos()};
    if (m_tool)
        m_tool->press(*event);
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    event->accept();
    if (m_tool)
        m_tool->move(*event);
    else
        hover(event->pos());
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    event->accept();
    if (!m_tool || event->buttons() != Qt::NoButton)
        return;
    // Out of the view's hands first: what the release changes must not cancel it.
    const auto tool = std::move(m_tool);
    tool->release(*event);
    hover(event->pos());
    // A click on a part of a card, unless it was dragged away from it.
    const auto pressed = std::exchange(m_pressed, {});
    const auto place = mapToScene(event->pos());
    const auto* node = pressed.part ? m_scene->nodeAt(place) : nullptr;
    if (node && node->id() == pressed.node && node->partAt(place) == pressed.part &&
        (event->pos() - pressed.at).manhattanLength() < QApplication::startDragDistance())
        useCardPart(pressed.node, pressed.part);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = mapToScene(event->pos());
    if (const auto* note = m_scene->notes().at(place); note && event->button() == Qt::LeftButton) {
        event->accept();
        m_notes->edit(engine::NoteId(note->note().id));
        return;
    }
    if (const auto* node = m_scene->nodeAt(place);
        node && event->button() == Qt::LeftButton && node->badgeRect().contains(place)) {
        event->accept();
        m_document.select({{node->id()}, {}});
        startCountEdit(node->id());
        return;
    }
    if (const auto* link = m_scene->nodeAt(place) ? nullptr : m_scene->labelAt(place);
        link && event->button() == Qt::LeftButton) {
        event->accept();
        m_document.select({{}, {link->id()}});
        editBandwidth();
        return;
    }
    mousePressEvent(event);
}

void CanvasView::cancelGesture() {
    if (!m_tool)
        return;
    const auto tool = std::move(m_tool);
    tool->cancel();
}

void CanvasView::hover(QPoint viewportPoint) {
    const auto place = mapToScene(viewportPoint);
    auto& notes = m_scene->notes();
    const auto* handle = notes.handleAt(place);
    const auto* note = handle ? handle : notes.at(place);
    notes.setHovered(note);
    const auto* port = note ? nullptr : m_scene->portAt(place);
    const auto* node = note ? nullptr : port ? port : m_scene->nodeAt(place);
    const auto id = node ? node->id() : engine::NodeId{};
    if (id != m_hovered) {
        if (auto* before = m_scene->nodeItem(m_hovered)) {
            before->setHovered(false);
            before->setHoveredPart({});
        }
        if (auto* now = m_scene->nodeItem(id))
            now->setHovered(true);
        m_hovered = id;
    }
    const auto part = node && !port ? node->partAt(place) : CardPart{};
    if (auto* item = m_scene->nodeItem(id))
        item->setHoveredPart(part);
    if (m_spaceDown)
        viewport()->setCursor(Qt::OpenHandCursor);
    else if (notes.cornerAt(place))
        viewport()->setCursor(Qt::SizeFDiagCursor);
    else if (port || handle)
        viewport()->setCursor(Qt::CrossCursor);
    else if (part)
        viewport()->setCursor(Qt::PointingHandCursor);
    else
        viewport()->unsetCursor();
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    event->accept();
    const auto turn = event->angleDelta();
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier);
    // Fingers on a touchpad come with phases and pixels; the wheel of a mouse does not.
    const bool fingers = event->phase() != Qt::NoScrollPhase && !event->pixelDelta().isNull();
    if (fingers && !zooms) {
        panBy(event->pixelDelta());
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) || (turn.y() == 0 && !zooms)) {
        // Some systems turn the axis themselves while Shift is held.
        panBy({turn.y() != 0 ? turn.y() : turn.x(), 0});
        return;
    }
    if (turn.y() == 0)
        return;
    glide();
    zoomAt(event->position().toPoint(), std::pow(1.2, turn.y() / 120.0));
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool shift = modifiers == Qt::ShiftModifier;
    const bool plain = modifiers == Qt::NoModifier;
    const bool control = modifiers == Qt::ControlModifier;
    const auto step = shift ? 1.0 : kSnap;
    const std::pair<QKeySequence::StandardKey, void (CanvasView::*)()> clipboard[] = {
        {QKeySequence::Copy, &CanvasView::copySelection},
        {QKeySequence::Cut, &CanvasView::cutSelection},
        {QKeySequence::Paste, &CanvasView::paste}};
    for (const auto& [key, slot] : clipboard)
        if (event->matches(key)) {
            (this->*slot)();
            return;
        }
    switch (event->key()) {
    case Qt::Key_Escape:
        if (m_tool)
            cancelGesture();
        else if (!m_kindBar->isHidden())
            emit m_kindBar->dismissed();
        else if (!m_chip.technique.empty())
            clearChip();
        else if (!m_document.selection().empty())
            m_document.select({});
        else
            break;
        return;
    case Qt::Key_Space:
        if (!event->isAutoRepeat() && !m_tool) {
            m_spaceDown = true;
            viewport()->setCursor(Qt::OpenHandCursor);
        }
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (!switchChipOff())
            deleteSelection();
        return;
    case Qt::Key_Left:
        nudge({-step, 0}, event->isAutoRepeat());
        return;
    case Qt::Key_Right:
        nudge({step, 0}, event->isAutoRepeat());
        return;
    case Qt::Key_Up:
        nudge({0, -step}, event->isAutoRepeat());
        return;
    case Qt::Key_Down:
        nudge({0, step}, event->isAutoRepeat());
        return;
    case Qt::Key_F:
        if (!plain && !shift)
            break;
        shift ? fitSelection() : fitAll();
        return;
    case Qt::Key_A:
        if (!control)
            break;
        selectAll();
        return;
    case Qt::Key_D:
        if (!control)
            break;
        duplicateSelection();
        return;
    case Qt::Key_L:
        if (!plain)
            break;
        linkOffered();
        return;
    case Qt::Key_R:
        if (!plain)
            break;
        chooseRole();
        return;
    case Qt::Key_T:
        if (!plain)
            break;
        chooseTechnique();
        return;
    case Qt::Key_Q:
        if (!plain)
            break;
        fixProblem();
        return;
    case Qt::Key_K:
        if (!plain)
            break;
        chooseLinkKind();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        control ? zoomIn() : changeCount(+1);
        return;
    case Qt::Key_Minus:
        control ? zoomOut() : changeCount(-1);
        return;
    case Qt::Key_0:
        if (!control)
            break;
        setZoom(1.0);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_notes->editSelected())
            m_document.selection().nodes.empty() ? editBandwidth() : editCount();
        return;
    case Qt::Key_N:
        if (!plain)
            break;
        m_notes->add();
        return;
    default:
        break;
    }
    // Not to QGraphicsView, which would scroll.
    event->ignore();
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceDown = false;
        if (!m_tool)
            viewport()->unsetCursor();
        return;
    }
    event->ignore();
}

bool CanvasView::selectNeighbour(bool next) {
    // Nodes, then links, then notes, in the order of the scenario.
    const auto& [nodes, links, notes] = m_document.selection();
    const auto& scenario = m_document.scenario();
    const auto nodeCount = std::ssize(scenario.nodes);
    const auto linkEnd = nodeCount + std::ssize(scenario.links);
    const auto count = linkEnd + std::ssize(scenario.notes);
    std::ptrdiff_t current = -1;
    const auto seek = [&current](const auto& items, const auto& chosen, std::ptrdiff_t first) {
        const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) {
            return !chosen.empty() && item.id == chosen.front();
        });
        if (current < 0 && found != items.end())
            current = first + (found - items.begin());
    };
    seek(scenario.nodes, nodes, 0);
    seek(scenario.links, links, nodeCount);
    seek(scenario.notes, notes, linkEnd);
    const auto target = current < 0 ? (next ? 0 : count - 1) : current + (next ? 1 : -1);
    if (target < 0 || target >= count)
        return false;
    if (target < nodeCount) {
        const auto id = scenario.nodes[static_cast<std::size_t>(target)].id;
        m_document.select({{id}, {}});
        ensureVisible(m_scene->contentRect({id}), 16, 16);
    } else if (target < linkEnd) {
        m_document.select({{}, {scenario.links[static_cast<std::size_t>(target - nodeCount)].id}});
    } else {
        const auto id = scenario.notes[static_cast<std::size_t>(target - linkEnd)].id;
        m_document.select({{}, {}, {id}});
        ensureVisible(m_scene->notes().item(id)->rect(), 16, 16);
    }
    return true;
}

bool CanvasView::focusNextPrevChild(bool next) {
    // Asked for the widgets on the canvas as well: theirs is not a step over nodes.
    return (hasFocus() && selectNeighbour(next)) || QGraphicsView::focusNextPrevChild(next);
}

void CanvasView::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    // Coming by keyboard, something must be pointed at; what is selected already stays.
    const bool byTab = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byTab && m_document.selection().empty())
        selectNeighbour(event->reason() == Qt::TabFocusReason);
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    m_spaceDown = false; // its release goes elsewhere
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    const auto place = mapToScene(event->pos());
    const auto& selection = m_document.selection();
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (const auto* note = m_scene->notes().at(place)) {
            const auto& id = note->note().id;
            if (std::find(selection.notes.begin(), selection.notes.end(), id) == selection.notes.end())
                m_document.select({{}, {}, {id}});
        } else if (const auto* node = m_scene->nodeAt(place)) {
            if (std::find(selection.nodes.begin(), selection.nodes.end(), node->id()) ==
                selection.nodes.end())
                m_document.select({{node->id()}, {}});
            if (const auto part = node->partAt(place); part.kind == CardPart::Kind::Technique)
                chooseChip(node->id(), part.index);
        } else if (const auto* link = m_scene->linkAt(place)) {
            m_document.select({{}, {link->id()}});
        } else {
            m_document.select({});
        }
    }
    auto* menu = makeContextMenu().release();
    m_notes->addTo(*menu, place);
    menu->setParent(this, menu->windowFlags());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
    event->accept();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    placeOverlays();
    if (m_autoFit)
        fitAll();
}

void CanvasView::showEvent(QShowEvent* event) {
    QGraphicsView::showEvent(event);
    placeOverlays();
    if (m_autoFit)
        fitAll();
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        m_pointer.reset();
    else if (event->type() == QEvent::MouseMove)
        m_pointer = static_cast<QMouseEvent*>(event)->pos();
    if (event->type() == QEvent::Leave)
        m_scene->notes().setHovered(nullptr);
    if (event->type() == QEvent::Leave)
        if (auto* before = m_scene->nodeItem(m_hovered)) {
            before->setHovered(false);
            before->setHoveredPart({});
            m_hovered = {};
        }
    return QGraphicsView::viewportEvent(event);
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    // Everything is painted anew: pixels that are moved would take the overlays along.
    setViewportUpdateMode(FullViewportUpdate);
    QGraphicsView::scrollContentsBy(dx, dy);
    setViewportUpdateMode(SmartViewportUpdate);
    placeMiniMap();
    placeKindBar();
    m_notes->placeEditor();
}

void CanvasView::drawForeground(QPainter* painter, const QRectF&) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_tool)
        m_tool->paint(*painter);
    m_place.paint(*painter);
}

} // namespace heteroscape::widgets
