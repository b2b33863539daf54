// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/plots/note_look.h"

#include <QObject>
#include <QPointer>

class QMenu;

namespace heteroscape::widgets {

class CanvasView;

/// What a user does to notes on one canvas: placing and writing them, taking arrows off. What the pointer
/// draws: note_tools.cpp.
class CanvasNotes : public QObject {
    Q_OBJECT
public:
    explicit CanvasNotes(CanvasView& view);

    // A new note is kept once something is written.
    void add();                     ///< at the pointer, else in the middle
    void addInMiddle();             ///< of what is seen
    void addAt(QPointF scenePoint); ///< its top left corner
    void edit(const engine::NoteId& id);
    bool editSelected();                         ///< false unless one note alone is selected
    void finish() { end(true); }                 ///< what is being written is kept
    void takeArrowsOff();                        ///< those of the selected notes
    void addTo(QMenu& menu, QPointF scenePoint); ///< what can be done about notes there, above the rest

    NoteEditor* editor() const { return m_editor; } ///< null unless one is being written
    void placeEditor();                             ///< after the view moved

private:
    void begin(const engine::Note& note);
    void end(bool keep);
    void keep(engine::Note note, const QString& text);

    CanvasView& m_view;
    QPointer<NoteEditor> m_editor;
    engine::Note m_note; ///< that is written
};

} // namespace heteroscape::widgets
