// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_notes.h"

#include "engine/scenario/notes.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/note_layer.h"
#include "widgets/theme/theme.h"

#include <QMouseEvent>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kNarrowest = 80;

/// Left button on a handle at the edge of a note: draws its arrow to what lies under the pointer. Let go over
/// the note itself nothing changes.
class NoteArrowTool : public AimTool {
public:
    NoteArrowTool(CanvasView& view, engine::Note note) : AimTool(view), m_note(std::move(note)) {}

    void press(QMouseEvent& event) override;
    void cancel() override;

private:
    void aim(QPointF scenePoint) override;
    void letGo() override;
    void markTarget(bool on);

    engine::Note m_note; ///< with the arrow as it is drawn now
    bool m_outside = false;
};

/// Left button on the corner of a note: resizes it, as narrow as its words can be read and as low as they
/// have room.
class NoteSizeTool : public CanvasTool {
public:
    NoteSizeTool(CanvasView& view, engine::Note note)
        : CanvasTool(view), m_before(note), m_note(std::move(note)) {}

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;

private:
    engine::Note m_before;
    engine::Note m_note;
    QPointF m_start;
};

} // namespace

void NoteArrowTool::press(QMouseEvent&) {
    m_view.viewport()->setCursor(Qt::CrossCursor);
    m_view.document().select({{}, {}, {m_note.id}});
}

void NoteArrowTool::markTarget(bool on) {
    const auto* target = m_note.arrow ? std::get_if<engine::NodeId>(&*m_note.arrow) : nullptr;
    if (auto* node = target ? m_view.canvasScene().nodeItem(*target) : nullptr)
        node->setDropMark(on ? DropMark::Valid : DropMark::None);
}

void NoteArrowTool::aim(QPointF scenePoint) {
    auto& notes = m_view.canvasScene().notes();
    const auto* own = notes.item(m_note.id);
    m_outside = own && !own->rect().contains(scenePoint);
    markTarget(false);
    if (!m_outside) {
        notes.reset();
        return;
    }
    m_note.arrow = notes.targetAt(scenePoint);
    markTarget(true);
    notes.preview({m_note});
}

void NoteArrowTool::letGo() {
    cancel();
    if (m_outside)
        m_view.document().perform(engine::PutNote{m_note});
}

void NoteArrowTool::cancel() {
    markTarget(false);
    m_view.canvasScene().notes().reset();
    m_view.viewport()->unsetCursor();
}

void NoteSizeTool::press(QMouseEvent& event) {
    m_start = m_view.mapToScene(event.pos());
    m_view.document().select({{}, {}, {m_note.id}});
}

void NoteSizeTool::move(QMouseEvent& event) {
    const auto size = QPointF(m_before.width, m_before.height) + m_view.mapToScene(event.pos()) - m_start;
    const auto place = toPoint(m_before.position);
    const auto corner = m_view.placing().snappedPlace(place + size, event.modifiers()) - place;
    m_note.width = std::clamp(corner.x(), kNarrowest, engine::kGreatestNoteSide);
    const auto words = noteHeight(QString::fromStdString(m_note.text), m_note.width);
    m_note.height =
        std::clamp(corner.y(), std::min(words, engine::kGreatestNoteSide), engine::kGreatestNoteSide);
    m_view.canvasScene().notes().preview({m_note});
}

void NoteSizeTool::release(QMouseEvent&) {
    cancel();
    m_view.document().perform(engine::PutNote{m_note});
}

void NoteSizeTool::cancel() {
    m_view.canvasScene().notes().reset();
}

std::unique_ptr<CanvasTool> noteToolAt(CanvasView& view, QPointF scenePoint) {
    const auto& notes = view.canvasScene().notes();
    const auto kept = [&](const NoteItem* item) { // not as a preview has it
        return item ? view.document().scenario().findNote(item->note().id) : nullptr;
    };
    if (const auto* note = kept(notes.cornerAt(scenePoint)))
        return std::make_unique<NoteSizeTool>(view, *note);
    if (const auto* note = kept(notes.handleAt(scenePoint)))
        return std::make_unique<NoteArrowTool>(view, *note);
    return nullptr;
}

namespace {

constexpr QSize kSmallestEditor(180, 64);

QRectF rectOf(const engine::Note& note) {
    return {note.position.x, note.position.y, note.width, note.height};
}

} // namespace

CanvasNotes::CanvasNotes(CanvasView& view) : m_view(view) {
    connect(&view.document(), &Document::reset, this, [this] { end(false); }); // it was of another design
}

void CanvasNotes::add() {
    if (const auto pointer = m_view.pointer())
        addAt(m_view.mapToScene(*pointer));
    else
        addInMiddle();
}

void CanvasNotes::addInMiddle() {
    const auto seen = m_view.camera().seen();
    const engine::Note blank;
    const QSizeF size(blank.width, blank.height);
    const auto middle = seen.center() - QPointF(blank.width, blank.height) / 2;
    addAt(freePlaceNear(m_view.canvasScene(), m_view.placing().snappedPlace(middle, {}), size, true));
}

void CanvasNotes::addAt(QPointF scenePoint) {
    engine::Note note;
    note.id = engine::freshNoteId(m_view.document().scenario(), "note");
    note.position = toPosition(m_view.placing().snappedPlace(scenePoint, {}));
    begin(note);
}

void CanvasNotes::edit(const engine::NoteId& id) {
    if (const auto* note = m_view.document().scenario().findNote(id))
        begin(engine::Note(*note));
}

bool CanvasNotes::editSelected() {
    const auto& selection = m_view.document().selection();
    if (selection.notes.size() != 1 || !selection.nodes.empty() || !selection.links.empty())
        return false;
    edit(engine::NoteId(selection.notes.front()));
    return true;
}

void CanvasNotes::begin(const engine::Note& note) {
    end(true);
    m_note = note;
    m_view.ensureVisible(rectOf(note), 16, 16);
    m_editor = new NoteEditor(QString::fromStdString(note.text), m_view.viewport());
    connect(m_editor, &NoteEditor::finished, this, &CanvasNotes::end);
    connect(m_editor, &NoteEditor::tooLong, &m_view, &CanvasView::message);
    placeEditor();
    m_editor->show();
    m_editor->setFocus();
}

void CanvasNotes::placeEditor() {
    if (!m_editor)
        return;
    auto place = m_view.mapFromScene(rectOf(m_note)).boundingRect();
    place.setSize(place.size().expandedTo(kSmallestEditor));
    m_editor->setZoom(m_view.camera().zoom());
    m_editor->setGeometry(place);
}

void CanvasNotes::end(bool kept) {
    if (!m_editor)
        return;
    auto* editor = m_editor.data();
    m_editor.clear(); // first: losing its focus ends it
    retire(editor, this, m_view);
    if (kept)
        keep(m_note, editor->toPlainText());
}

void CanvasNotes::keep(engine::Note note, const QString& text) {
    auto& document = m_view.document();
    if (const auto* now = document.scenario().findNote(note.id))
        note = *now;
    note.text = text.trimmed().toStdString();
    if (note.text.empty()) {
        if (document.scenario().findNote(note.id))
            document.perform(engine::DropNote{note.id});
        return;
    }
    note.height = std::clamp(noteHeight(text.trimmed(), note.width), note.height, engine::kGreatestNoteSide);
    if (document.perform(engine::PutNote{note}))
        document.select({{}, {}, {note.id}});
}

void CanvasNotes::takeArrowsOff() {
    auto& document = m_view.document();
    engine::EditList list;
    for (const auto& id : document.selection().notes)
        if (const auto* note = document.scenario().findNote(id); note && note->arrow) {
            auto bare = *note;
            bare.arrow = std::nullopt;
            list.edits.emplace_back(engine::PutNote{std::move(bare)});
        }
    if (!list.edits.empty())
        document.perform(list);
}

void CanvasNotes::addTo(QMenu& menu, QPointF scenePoint) {
    auto* first = menu.actions().value(0);
    const auto insert = [&](const QString& text, const QKeySequence& key, auto act) {
        auto* action = new QAction(text, &menu);
        connect(action, &QAction::triggered, this, act);
        showKey(action, key);
        menu.insertAction(first, action);
        return action;
    };
    const auto& scenario = m_view.document().scenario();
    const auto& notes = m_view.document().selection().notes;
    if (notes.size() == 1)
        insert(tr("Edit the note"), Qt::Key_Return, [this] { editSelected(); });
    const bool arrows = std::any_of(notes.begin(), notes.end(), [&](const engine::NoteId& id) {
        const auto* note = scenario.findNote(id);
        return note && note->arrow;
    });
    if (arrows)
        insert(tr("Take the arrow off"), {}, [this] { takeArrowsOff(); });
    insert(tr("Add a note"), Qt::Key_N, [this, scenePoint] {
        addAt(scenePoint);
    })->setIcon(Theme::instance().icon(QStringLiteral("note")));
    menu.insertSeparator(first);
}

} // namespace heteroscape::widgets

#include "moc_canvas_notes.cpp"
