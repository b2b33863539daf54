// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/edit_command.h"

#include "widgets/document/document.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kEditCommandId = 1;

/// Both set the same properties, so that the later one alone says it all.
bool sameTarget(const engine::GraphEdit& first, const engine::GraphEdit& second) {
    if (first.index() != second.index())
        return false;
    if (const auto* quantity = std::get_if<engine::SetQuantity>(&first))
        return quantity->path == std::get<engine::SetQuantity>(second).path;
    if (const auto* move = std::get_if<engine::MoveNode>(&first))
        return move->id == std::get<engine::MoveNode>(second).id;
    if (const auto* put = std::get_if<engine::PutNote>(&first))
        return put->note->id == std::get<engine::PutNote>(second).note->id;
    const auto* list = std::get_if<engine::EditList>(&first);
    const auto* other = std::get_if<engine::EditList>(&second);
    return list && other &&
           std::is_permutation(list->edits.begin(), list->edits.end(), other->edits.begin(),
                               other->edits.end(), sameTarget);
}

} // namespace

EditCommand::EditCommand(Document& document, engine::GraphEdit edit, engine::GraphEdit inverse,
                         QString gesture, const QString& text)
    : QUndoCommand(text), m_document(document), m_edit(std::move(edit)), m_inverse(std::move(inverse)),
      m_gesture(std::move(gesture)) {}

int EditCommand::id() const {
    return m_gesture.isEmpty() ? -1 : kEditCommandId;
}

bool EditCommand::mergeWith(const QUndoCommand* other) {
    const auto& later = static_cast<const EditCommand&>(*other); // the stack asks for equal ids only
    if (later.m_gesture != m_gesture)
        return false;
    if (sameTarget(m_edit, later.m_edit)) {
        m_edit = later.m_edit;
        setObsolete(engine::changesNothing(m_edit, m_inverse));
    } else {
        m_edit = engine::EditList{{m_edit, later.m_edit}};
        m_inverse = engine::EditList{{later.m_inverse, m_inverse}};
    }
    setText(later.text());
    return true;
}

void EditCommand::undo() {
    m_document.applyNow(m_inverse);
}

void EditCommand::redo() {
    if (!m_applied)
        m_document.applyNow(m_edit);
    m_applied = false;
}

ReplaceCommand::ReplaceCommand(Document& document, engine::Shared<engine::Scenario> after,
                               const QString& text)
    : QUndoCommand(text), m_document(document), m_before(document.shared()), m_after(std::move(after)) {}

void ReplaceCommand::undo() {
    m_document.replaceNow(m_before);
}

void ReplaceCommand::redo() {
    m_document.replaceNow(m_after);
}

} // namespace heteroscape::widgets
