// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <QUndoCommand>

namespace heteroscape::widgets {

class Document;

/// One undoable edit, already applied when it is pushed. Commands of the same non-empty gesture that
/// follow each other become one; a gesture that ends where it began leaves no step behind. UI thread.
class EditCommand : public QUndoCommand {
public:
    EditCommand(Document& document, engine::GraphEdit edit, engine::GraphEdit inverse, QString gesture,
                const QString& text);

    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;
    void undo() override;
    void redo() override;

private:
    Document& m_document;
    engine::GraphEdit m_edit;
    engine::GraphEdit m_inverse;
    QString m_gesture;
    bool m_applied = true; ///< the first redo() comes from the push, when the work is done already
};

/// Replaces the whole scenario.
class ReplaceCommand : public QUndoCommand {
public:
    ReplaceCommand(Document& document, engine::Shared<engine::Scenario> after, const QString& text);

    void undo() override;
    void redo() override;

private:
    Document& m_document;
    engine::Shared<engine::Scenario> m_before;
    engine::Shared<engine::Scenario> m_after;
};

} // namespace heteroscape::widgets
