// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/note_editor.h"

#include "widgets/theme/theme.h"

#include "engine/base/error.h"
#include "engine/base/json.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

NoteEditor::NoteEditor(const QString& text, QWidget* parent) : QPlainTextEdit(text, parent) {
    setAccessibleName(tr("Words of the note"));
    setPlaceholderText(tr("Ctrl+Enter keeps it"));
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    selectAll();
    connect(this, &QPlainTextEdit::textChanged, this, &NoteEditor::checkLength);
}

void NoteEditor::setZoom(double zoom) {
    auto font = Theme::instance().font(TextSize::Body);
    font.setPixelSize(std::max(font.pixelSize(), static_cast<int>(std::lround(font.pixelSize() * zoom))));
    setFont(font);
}

void NoteEditor::checkLength() {
    try {
        engine::checkText(toPlainText().toStdString(), {});
    } catch (const engine::Error&) {
        undo();
        emit tooLong(tr("A note has room for 4096 bytes"));
    }
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        finish(false);
    else if (enter && event->modifiers().testFlag(Qt::ControlModifier))
        finish(true);
    else
        QPlainTextEdit::keyPressEvent(event);
}

void NoteEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    // Its own menu, or another window for a moment, is no leaving.
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        finish(true);
}

void NoteEditor::finish(bool keep) {
    if (m_finished)
        return;
    m_finished = true;
    emit finished(keep);
}

} // namespace heteroscape::widgets
