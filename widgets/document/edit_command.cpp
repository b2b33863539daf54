// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/edit_command.h"

#include "widgets/document/document.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kEditCommandId = 1;

/// Both are of the kind and `same` says so of them.
template <class Edit, class Same>
bool bothAre(const engine::GraphEdit& first, const engine::GraphEdit& second, const Same& same) {
    const auto* one = first.as<Edit>();
    const auto* other = second.as<Edit>();
    return one && other && same(*one, *other);
}

/// Both set the same properties, so that the later one alone says it all.
bool sameTarget(const engine::GraphEdit& first, const engine::GraphEdit& second) {
    return bothAre<engine::SetQuantity>(first, second,
                                        [](const auto& a, const auto& b) { return a.path == b.path; }) ||
           bothAre<engine::MoveNode>(first, second,
                                     [](const auto& a, const auto& b) { return a.id == b.id; }) ||
           bothAre<engine::PutNote>(first, second,
                                    [](const auto& a, const auto& b) { return a.note->id == b.note->id; }) ||
           bothAre<engine::EditList>(first, second, [](const auto& a, const auto& b) {
               return std::is_permutation(a.edits.begin(), a.edits.end(), b.edits.begin(), b.edits.end(),
                                          sameTarget);
           });
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
