// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_notes.h"

#include "widgets/canvas/canvas_menus.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/note_layer.h"
#include "widgets/theme/theme.h"

#include "engine/scenario/notes.h"

#include <algorithm>

namespace heteroscape::widgets {

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
