// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include "widgets/canvas/bandwidth_editor.h"
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/canvas/count_editor.h"
#include "widgets/canvas/link_kind_bar.h"
#include "widgets/canvas/mini_map.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kFitMargin = 32;
constexpr int kRestMs = 120;            ///< after the last turn of the wheel
constexpr std::size_t kManyNodes = 100; ///< fewer are always painted sharp

} // namespace

CanvasView::CanvasView(Document& document, QWidget* parent)
    : QGraphicsView(parent), m_document(document), m_scene(std::make_unique<CanvasScene>(document)),
      m_arranger(new CardArranger(document, *m_scene, this)), m_place(*this),
      m_zoomBar(new ZoomBar(viewport())), m_emptyHint(new EmptyHint(viewport())),
      m_linkOffer(new LinkOffer(viewport())), m_kindBar(new LinkKindBar(viewport())),
      m_miniMap(new MiniMap(viewport())), m_notes(std::make_unique<CanvasNotes>(*this)) {
    setScene(m_scene.get());
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

    connect(m_zoomBar, &ZoomBar::zoomOutRequested, this, &CanvasView::zoomOut);
    connect(m_zoomBar, &ZoomBar::zoomInRequested, this, &CanvasView::zoomIn);
    connect(m_zoomBar, &ZoomBar::fitRequested, this, &CanvasView::fitAll);
    connect(m_zoomBar, &ZoomBar::resetRequested, this, [this] { setZoom(1.0); });
    connect(m_zoomBar, &ZoomBar::noteRequested, m_notes.get(), &CanvasNotes::addInMiddle);
    connect(m_emptyHint, &EmptyHint::openPresetRequested, this, &CanvasView::openPresetRequested);
    connect(m_emptyHint, &EmptyHint::findPartRequested, this, &CanvasView::findPartRequested);
    connect(m_linkOffer, &LinkOffer::accepted, this, &CanvasView::linkOffered);
    connect(m_linkOffer, &LinkOffer::dismissed, this, [this] {
        m_partners.clear();
        refreshOffer();
    });
    connect(m_miniMap, &MiniMap::centreRequested, this, [this](QPointF place) {
        m_autoFit = false;
        closeCountEditor();
        centerOn(place);
    });
    connect(m_arranger, &CardArranger::laidOut, this, &CanvasView::fitAll);
    connect(m_scene.get(), &CanvasScene::placed, this, &CanvasView::refreshMiniMap);
    connect(&Theme::instance(), &Theme::changed, this, &CanvasView::refreshMiniMap);
    connect(m_kindBar, &LinkKindBar::chosen, this, &CanvasView::setLinkKind);
    connect(m_kindBar, &LinkKindBar::dismissed, this, [this] {
        m_kindsFor = {};
        refreshKindBar();
    });
    connect(&document, &Document::changed, this, &CanvasView::documentChanged);
    connect(&document, &Document::selectionChanged, this, &CanvasView::selectionChanged);
    connect(&document, &Document::reset, this, &CanvasView::fitAll);
    connect(document.undoStack(), &QUndoStack::indexChanged, this, [this](int index) {
        if (index > 0) // what is being worked on stays where it is
            m_autoFit = false;
    });
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        m_scene->cards().setGliding(false);
        viewport()->update();
    });
    documentChanged();
    refreshMiniMap();
}

CanvasView::~CanvasView() {
    setScene(nullptr);
}

void CanvasView::documentChanged() {
    cancelGesture(); // what it previews may be gone
    m_place.leave();
    if (m_countEditor && !m_document.scenario().findNode(m_countEditor->nodeId()))
        closeCountEditor();
    if (m_bandwidthEditor && !m_document.scenario().findLink(m_bandwidthEditor->linkId()))
        closeBandwidthEditor();
    m_emptyHint->setVisible(m_document.scenario().nodes.empty() && m_document.scenario().notes.empty());
    refreshOffer();
    placeOverlays();
    selectionChanged();
}

void CanvasView::selectionChanged() {
    const auto& selection = m_document.selection();
    if (selection != Selection{{m_chip.node}, {}})
        clearChip();
    refreshKindBar();
    QString description = tr("Nothing selected");
    const auto count = selection.nodes.size() + selection.links.size() + selection.notes.size();
    if (count == 1)
        description = !selection.nodes.empty()   ? nodeSentence(m_document, selection.nodes.front())
                      : !selection.links.empty() ? linkSentence(m_document, selection.links.front())
                                                 : noteSentence(m_document, selection.notes.front());
    else if (count > 0 && selection.notes.empty())
        description =
            tr("%1 nodes and %2 links selected").arg(selection.nodes.size()).arg(selection.links.size());
    else if (count > 0)
        description = tr("%1 nodes, %2 links and %3 notes selected")
                          .arg(selection.nodes.size())
                          .arg(selection.links.size())
                          .arg(selection.notes.size());
    if (accessibleDescription() == description)
        return;
    setAccessibleDescription(description);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

// Zoom and pan
// -------------------------------------------------------------------------------------------------------

void CanvasView::applyZoom(double zoom) {
    const auto clamped = std::clamp(zoom, kMinZoom, kMaxZoom);
    m_scene->setZoom(clamped);
    setTransform(QTransform::fromScale(clamped, clamped));
    m_zoomBar->showZoom(clamped);
    viewport()->update(); // labels, dots and cards change at some zooms, not only in size
    closeCountEditor();
    closeBandwidthEditor();
    placeKindBar();
    m_notes->placeEditor();
    emit zoomChanged(clamped);
}

void CanvasView::zoomAt(QPoint viewportPoint, double factor) {
    const auto held = mapToScene(viewportPoint);
    applyZoom(zoom() * factor);
    m_autoFit = false;
    const auto moved = mapFromScene(held) - viewportPoint;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + moved.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + moved.y());
    placeKindBar();
}

void CanvasView::glide() {
    if (m_scene->nodeCount() < kManyNodes)
        return;
    m_scene->cards().setGliding(true);
    m_rest.start();
}

void CanvasView::panBy(QPoint pixels) {
    m_autoFit = false;
    closeCountEditor();
    closeBandwidthEditor();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - pixels.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - pixels.y());
    placeKindBar();
}

void CanvasView::zoomIn() {
    zoomAt(viewport()->rect().center(), kZoomStep);
}

void CanvasView::zoomOut() {
    zoomAt(viewport()->rect().center(), 1 / kZoomStep);
}

void CanvasView::setZoom(double zoomLevel) {
    zoomAt(viewport()->rect().center(), zoomLevel / zoom());
}

void CanvasView::fit(const QRectF& content) {
    const auto room = content.adjusted(-kFitMargin, -kFitMargin, kFitMargin, kFitMargin);
    const double reserved = m_linkOffer->isVisible() ? kOverlayRoom : 0.0; // an offer hides no card
    const QSizeF seen = viewport()->size();
    applyZoom(std::min({1.0, seen.width() / room.width(), (seen.height() - reserved) / room.height()}));
    centerOn(content.center() + QPointF(0, reserved / 2 / zoom()));
}

void CanvasView::fitAll() {
    m_autoFit = true;
    const auto content = m_scene->contentRect();
    if (!content.isEmpty())
        fit(content);
}

void CanvasView::fitSelection() {
    const auto& nodes = m_document.selection().nodes;
    if (nodes.empty())
        return;
    m_autoFit = false;
    fit(m_scene->contentRect(nodes));
}

// Edits
// --------------------------------------------------------------------------------------------------------------

void CanvasView::selectAll() {
    Selection selection;
    for (const auto& node : m_document.scenario().nodes)
        selection.nodes.push_back(node.id);
    for (const auto& link : m_document.scenario().links)
        selection.links.push_back(link.id);
    for (const auto& note : m_document.scenario().notes)
        selection.notes.push_back(note.id);
    m_document.select(std::move(selection));
}

void CanvasView::deleteSelection() {
    const auto& selection = m_document.selection();
    if (!selection.empty())
        m_document.perform(
            engine::removeEdit(m_document.scenario(), selection.nodes, selection.links, selection.notes));
}

void CanvasView::duplicateSelection() {
    duplicateBy({3 * kSnap, 3 * kSnap});
}

void CanvasView::duplicateBy(QPointF distance) {
    Selection copies;
    const auto edit = duplicateEdit(m_document, distance, copies);
    if (!edit.edits.empty() && m_document.perform(edit))
        m_document.select(std::move(copies));
}

void CanvasView::changeCount(int step) {
    const auto edit = countEdit(m_document, m_document.selection().nodes, step);
    if (!edit.edits.empty())
        m_document.perform(edit);
}

void CanvasView::nudge(QPointF distance, bool repeated) {
    // Holding the key is one gesture and so one undo step.
    if (!repeated)
        ++m_nudges;
    const auto edit = moveEdit(m_document, m_document.selection(), distance);
    if (!edit.edits.empty())
        m_document.perform(edit, QStringLiteral("nudge %1").arg(m_nudges));
}

void CanvasView::editCount() {
    const auto& nodes = m_document.selection().nodes;
    if (nodes.size() == 1)
        startCountEdit(nodes.front());
}

CountEditor* CanvasView::countEditor() const {
    return m_countEditor;
}

void CanvasView::startCountEdit(const engine::NodeId& id) {
    const auto* item = m_scene->nodeItem(id);
    if (!item)
        return;
    closeCountEditor();
    ensureVisible(item->badgeRect(), 16, 16);
    m_countEditor = new CountEditor(m_document, id, viewport());
    connect(m_countEditor, &CountEditor::finished, this, &CanvasView::closeCountEditor);
    QRect place(0, 0, 76, 26);
    place.moveCenter(mapFromScene(item->badgeRect()).boundingRect().center());
    m_countEditor->setGeometry(place);
    m_countEditor->show();
    m_countEditor->setFocus();
}

void CanvasView::closeCountEditor() {
    if (!m_countEditor)
        return;
    // It may be the sender, and hiding it takes its focus: forget it first, delete it later.
    auto* editor = m_countEditor.data();
    m_countEditor.clear();
    editor->disconnect(this);
    if (editor->hasFocus())
        setFocus(Qt::OtherFocusReason); // else hiding would hand it on as the Tab key does
    editor->hide();
    editor->deleteLater();
}

std::unique_ptr<QMenu> CanvasView::makeContextMenu() {
    auto menu = std::make_unique<QMenu>();
    const auto& theme = Theme::instance();
    const auto& selection = m_document.selection();
    const auto add = [&](const QString& icon, const QString& text, const QKeySequence& key, bool enabled,
                         auto slot) {
        auto* action = menu->addAction(icon.isEmpty() ? QIcon() : theme.icon(icon), text, this, slot);
        action->setShortcut(key); // shown only: the view handles the key itself
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setEnabled(enabled);
    };
    const bool copies = !selection.nodes.empty() || !selection.notes.empty();
    addPartMenus(*menu);
    addLinkMenu(*menu);
    add(QStringLiteral("design"), tr("Edit count"), Qt::Key_Return,
        selection.nodes.size() == 1 && selection.links.empty(), &CanvasView::editCount);
    add({}, tr("Cut"), QKeySequence::Cut, copies, &CanvasView::cutSelection);
    add({}, tr("Copy"), QKeySequence::Copy, copies, &CanvasView::copySelection);
    add({}, tr("Paste"), QKeySequence::Paste, true, &CanvasView::paste);
    add(QStringLiteral("duplicate"), tr("Duplicate"), Qt::CTRL | Qt::Key_D, copies,
        &CanvasView::duplicateSelection);
    add(QStringLiteral("trash"), tr("Delete"), Qt::Key_Delete, !selection.empty(),
        &CanvasView::deleteSelection);
    add(QStringLiteral("link"), tr("Link the two nodes"), Qt::Key_L,
        selection.nodes.size() == 2 && selection.links.empty(), &CanvasView::linkOffered);
    menu->addSeparator();
    m_arranger->addMenu(*menu);
    add(QStringLiteral("fit"), selection.nodes.empty() ? tr("Fit the design") : tr("Fit the selection"),
        selection.nodes.empty() ? QKeySequence(Qt::Key_F) : QKeySequence(Qt::SHIFT | Qt::Key_F),
        m_scene->nodeCount() > 0, selection.nodes.empty() ? &CanvasView::fitAll : &CanvasView::fitSelection);
    return menu;
}

void CanvasView::placeOverlays() {
    const auto size = viewport()->size();
    m_zoomBar->move(size.width() - m_zoomBar->width() - 16, size.height() - m_zoomBar->height() - 16);
    placeMiniMap();
    m_linkOffer->move(16, size.height() - m_linkOffer->height() - 16);
    m_emptyHint->adjustSize();
    m_emptyHint->move((size.width() - m_emptyHint->width()) / 2, (size.height() - m_emptyHint->height()) / 2);
}

} // namespace heteroscape::widgets
