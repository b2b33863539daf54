// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/edit_command.h"

#include "widgets/document/document.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kEditCommandId = 1;

} // namespace

EditCommand::EditCommand(Document& document, const engine::GraphEdit& edit, const engine::GraphEdit& inverse,
                         QString gesture, const QString& text)
    : QUndoCommand(text), m_document(document), m_edit(edit), m_inverse(inverse),
      m_gesture(std::move(gesture)) {}

int EditCommand::id() const {
    return m_gesture.isEmpty() ? -1 : kEditCommandId;
}

bool EditCommand::mergeWith(const QUndoCommand* other) {
    const auto& later = static_cast<const EditCommand&>(*other); // the stack asks for equal ids only
    if (later.m_gesture != m_gesture)
        return false;
    if (m_edit.sameTarget(later.m_edit)) {
        m_edit = later.m_edit;
        setObsolete(m_edit.sameOutcome(m_inverse));
    } else {
        m_edit = KeptEdit(engine::EditList{{m_edit.edit(), later.m_edit.edit()}});
        m_inverse = KeptEdit(engine::EditList{{later.m_inverse.edit(), m_inverse.edit()}});
    }
    setText(later.text());
    return true;
}

void EditCommand::undo() {
    m_document.applyNow(m_inverse.edit());
}

void EditCommand::redo() {
    if (!m_applied)
        m_document.applyNow(m_edit.edit());
    m_applied = false;
}

ReplaceCommand::ReplaceCommand(Document& document, engine::Scenario after, const QString& text)
    : QUndoCommand(text), m_document(document), m_before(document.scenario()), m_after(std::move(after)) {}

void ReplaceCommand::undo() {
    m_document.replaceNow(m_before);
}

void ReplaceCommand::redo() {
    m_document.replaceNow(m_after);
}

} // namespace heteroscape::widgets
