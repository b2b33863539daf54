// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include "engine/scenario/notes.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_overlays.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <functional>
#include <utility>

namespace heteroscape::widgets {

CanvasView::CanvasView(Document& document, QWidget* parent)
    : QGraphicsView(parent), m_document(document), m_scene(document), m_zoomBar(new ZoomBar(viewport())),
      m_emptyHint(new EmptyHint(viewport())), m_camera(*this), m_placing(*this), m_edits(*this),
      m_cards(*this), m_links(*this), m_values(*this), m_notes(*this), m_arranger(document, m_scene),
      m_dragged(*this), m_miniMap(new MiniMap(*this, *m_zoomBar)) {
    setScene(&m_scene);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(NoAnchor);
    setResizeAnchor(NoAnchor);
    setViewportUpdateMode(SmartViewportUpdate); // see scrollContentsBy()
    setOptimizationFlag(DontSavePainterState);  // the items leave the painter as it was
    setRenderHint(QPainter::Antialiasing);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setAcceptDrops(true);
    setMinimumSize(240, 160);
    setAccessibleName(tr("Design canvas"));

    connect(m_zoomBar, &ZoomBar::zoomOutRequested, &m_camera, &CanvasCamera::zoomOut);
    connect(m_zoomBar, &ZoomBar::zoomInRequested, &m_camera, &CanvasCamera::zoomIn);
    connect(m_zoomBar, &ZoomBar::fitRequested, &m_camera, &CanvasCamera::fitAll);
    connect(m_zoomBar, &ZoomBar::resetRequested, &m_camera, [this] { m_camera.setZoom(1.0); });
    connect(m_zoomBar, &ZoomBar::noteRequested, &m_notes, &CanvasNotes::addInMiddle);
    connect(&m_camera, &CanvasCamera::zoomChanged, m_zoomBar, &ZoomBar::showZoom);
    connect(m_emptyHint, &EmptyHint::openPresetRequested, this, &CanvasView::openPresetRequested);
    connect(m_emptyHint, &EmptyHint::findPartRequested, this, &CanvasView::findPartRequested);
    connect(&m_arranger, &CardArranger::laidOut, &m_camera, &CanvasCamera::fitAll);
    connect(&document, &Document::changed, this, &CanvasView::documentChanged);
    documentChanged();
}

CanvasView::~CanvasView() {
    setScene(nullptr);
}

void CanvasView::documentChanged() {
    cancelGesture(); // what it previews may be gone
    m_dragged.leave();
    m_emptyHint->setVisible(m_document.scenario().nodes.empty() &&
                            engine::notesOnCanvas(m_document.scenario()).empty());
    placeOverlays();
}

void CanvasView::placeOverlays() {
    const auto size = viewport()->size();
    m_zoomBar->move(size.width() - m_zoomBar->width() - 16, size.height() - m_zoomBar->height() - 16);
    m_miniMap->place();
    m_links.place();
    m_emptyHint->adjustSize();
    m_emptyHint->move((size.width() - m_emptyHint->width()) / 2, (size.height() - m_emptyHint->height()) / 2);
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    event->accept();
    if (m_tool)
        return;
    const auto place = mapToScene(event->pos());
    const bool left = event->button() == Qt::LeftButton;
    m_pressed = {};
    if (event->button() == Qt::MiddleButton || (left && m_spaceDown))
        m_tool = panTool(*this);
    else if (auto tool = left ? noteToolAt(*this, place) : nullptr)
        m_tool = std::move(tool);
    else if (const auto* port = left && !m_scene.notes().at(place) ? m_scene.portAt(place) : nullptr)
        m_tool = linkTool(*this, port->id());
    else if (left)
        m_tool = selectTool(*this);
    if (const auto* node = m_scene.notes().at(place) ? nullptr : m_scene.nodeAt(place);
        node && left && !m_spaceDown && !m_scene.portAt(place) && event->modifiers() == Qt::NoModifier)
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
    const auto* node = pressed.part ? m_scene.nodeAt(place) : nullptr;
    if (node && node->id() == pressed.node && node->partAt(place) == pressed.part &&
        (event->pos() - pressed.at).manhattanLength() < QApplication::startDragDistance())
        m_cards.use(pressed.node, pressed.part);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = mapToScene(event->pos());
    const bool left = event->button() == Qt::LeftButton;
    event->accept();
    const auto* node = m_scene.nodeAt(place);
    const auto* link = node ? nullptr : m_scene.labelAt(place);
    if (const auto* note = m_scene.notes().at(place); note && left) {
        m_notes.edit(engine::NoteId(note->note().id));
    } else if (node && left && node->badgeRect().contains(place)) {
        m_document.select({{node->id()}, {}});
        m_values.editCount();
    } else if (link && left) {
        m_document.select({{}, {link->id()}});
        m_values.editBandwidth();
    } else {
        mousePressEvent(event);
    }
}

void CanvasView::cancelGesture() {
    if (!m_tool)
        return;
    const auto tool = std::move(m_tool);
    tool->cancel();
}

void CanvasView::hover(QPoint viewportPoint) {
    const auto place = mapToScene(viewportPoint);
    auto& notes = m_scene.notes();
    const auto* handle = notes.handleAt(place);
    const auto* note = handle ? handle : notes.at(place);
    notes.setHovered(note);
    const auto* port = note ? nullptr : m_scene.portAt(place);
    const auto* node = note ? nullptr : port ? port : m_scene.nodeAt(place);
    const auto part = node && !port ? node->partAt(place) : CardPart{};
    hoverCard(node ? node->id() : engine::NodeId{}, part);
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

void CanvasView::hoverCard(const engine::NodeId& id, const CardPart& part) {
    if (auto* before = id == m_hovered ? nullptr : m_scene.nodeItem(m_hovered)) {
        before->setHovered(false);
        before->setHoveredPart({});
    }
    m_hovered = id;
    if (auto* item = m_scene.nodeItem(id)) {
        item->setHovered(true);
        item->setHoveredPart(part);
    }
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    event->accept();
    m_camera.turn(*event);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool control = modifiers == Qt::ControlModifier;
    const auto step = modifiers == Qt::ShiftModifier ? 1.0 : kSnap;
    const auto nudge = [&](double right, double down) {
        m_edits.nudge(QPointF(right, down) * step, event->isAutoRepeat());
    };
    if (event->matches(QKeySequence::Copy))
        return m_edits.copy();
    if (event->matches(QKeySequence::Cut))
        return m_edits.cut();
    if (event->matches(QKeySequence::Paste))
        return m_edits.paste();
    switch (event->key()) {
    case Qt::Key_Escape:
        if (m_tool)
            cancelGesture();
        else if (!m_links.kindBar()->isHidden())
            emit m_links.kindBar()->dismissed();
        else if (!m_cards.clearChip() && !m_document.selection().empty())
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
        if (!m_cards.switchChipOff())
            m_edits.remove();
        return;
    case Qt::Key_Left:
        return nudge(-1, 0);
    case Qt::Key_Right:
        return nudge(1, 0);
    case Qt::Key_Up:
        return nudge(0, -1);
    case Qt::Key_Down:
        return nudge(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return control ? m_camera.zoomIn() : m_edits.changeCount(+1);
    case Qt::Key_Minus:
        return control ? m_camera.zoomOut() : m_edits.changeCount(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_notes.editSelected())
            m_document.selection().nodes.empty() ? m_values.editBandwidth() : m_values.editCount();
        return;
    default:
        break;
    }
    const std::pair<QKeyCombination, std::function<void()>> letters[] = {
        {Qt::Key_F, [this] { m_camera.fitAll(); }},
        {Qt::SHIFT | Qt::Key_F, [this] { m_camera.fitSelection(); }},
        {Qt::CTRL | Qt::Key_0, [this] { m_camera.setZoom(1.0); }},
        {Qt::CTRL | Qt::Key_A, [this] { m_edits.selectAll(); }},
        {Qt::CTRL | Qt::Key_D, [this] { m_edits.duplicate(); }},
        {Qt::Key_L, [this] { m_links.linkOffered(); }},
        {Qt::Key_K, [this] { m_links.chooseKind(); }},
        {Qt::Key_R, [this] { m_cards.chooseRole(); }},
        {Qt::Key_T, [this] { m_cards.chooseTechnique(); }},
        {Qt::Key_Q, [this] { m_cards.fixProblem(); }},
        {Qt::Key_N, [this] { m_notes.add(); }}};
    for (const auto& [keys, act] : letters)
        if (keys == QKeyCombination(modifiers, static_cast<Qt::Key>(event->key())))
            return act();
    event->ignore(); // not to QGraphicsView, which would scroll
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

bool CanvasView::focusNextPrevChild(bool next) {
    // Asked for the widgets on the canvas as well: theirs is not a step over nodes.
    return (hasFocus() && m_edits.selectNeighbour(next)) || QGraphicsView::focusNextPrevChild(next);
}

void CanvasView::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    // Coming by keyboard, something must be pointed at; what is selected already stays.
    const bool byTab = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byTab && m_document.selection().empty())
        m_edits.selectNeighbour(event->reason() == Qt::TabFocusReason);
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    m_spaceDown = false; // its release goes elsewhere
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    const auto place = mapToScene(event->pos());
    const auto& selection = m_document.selection();
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (const auto* note = m_scene.notes().at(place)) {
            const auto& id = note->note().id;
            if (std::find(selection.notes.begin(), selection.notes.end(), id) == selection.notes.end())
                m_document.select({{}, {}, {id}});
        } else if (const auto* node = m_scene.nodeAt(place)) {
            if (std::find(selection.nodes.begin(), selection.nodes.end(), node->id()) ==
                selection.nodes.end())
                m_document.select({{node->id()}, {}});
            if (const auto part = node->partAt(place); part.kind == CardPart::Kind::Technique)
                m_cards.chooseChip(node->id(), part.index);
        } else if (const auto* link = m_scene.linkAt(place)) {
            m_document.select({{}, {link->id()}});
        } else {
            m_document.select({});
        }
    }
    auto menu = m_edits.makeMenu();
    m_notes.addTo(*menu, place);
    popUp(std::move(menu), this, event->globalPos());
    event->accept();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    placeOverlays();
    m_camera.fitAgain();
}

void CanvasView::showEvent(QShowEvent* event) {
    QGraphicsView::showEvent(event);
    placeOverlays();
    m_camera.fitAgain();
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (m_dragged.take(*event))
        return true;
    if (event->type() == QEvent::MouseMove)
        m_pointer = static_cast<QMouseEvent*>(event)->pos();
    if (event->type() == QEvent::Leave) {
        m_pointer.reset();
        m_scene.notes().setHovered(nullptr);
        hoverCard({}, {});
    }
    return QGraphicsView::viewportEvent(event);
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    // Everything is painted anew: pixels that are moved would take the overlays along.
    setViewportUpdateMode(FullViewportUpdate);
    QGraphicsView::scrollContentsBy(dx, dy);
    setViewportUpdateMode(SmartViewportUpdate);
    m_miniMap->place();
    m_links.place();
    m_notes.placeEditor();
}

void CanvasView::drawForeground(QPainter* painter, const QRectF&) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_tool)
        m_tool->paint(*painter);
    m_dragged.paint(*painter);
}

} // namespace heteroscape::widgets

#include "moc_canvas_view.cpp"
