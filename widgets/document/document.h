// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/edit.h"
#include "widgets/document/design_file.h"
#include "widgets/document/evaluator.h"
#include "widgets/document/pins.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoCommand>
#include <QUndoStack>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

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

/// Nodes, links or notes by their ids, for who asks for very many. Of no use once the list changes.
template <class Items>
auto byId(const Items& items) {
    std::unordered_map<std::string_view, const typename Items::value_type*> found;
    found.reserve(items.size());
    for (const auto& item : items)
        found.emplace(item.id.value, &item);
    return found;
}

/// What is selected, for canvas and inspector alike.
struct Selection {
    std::vector<engine::NodeId> nodes;
    std::vector<engine::LinkId> links;
    std::vector<engine::NoteId> notes{};
    bool empty() const { return nodes.empty() && links.empty() && notes.empty(); }
    bool operator==(const Selection&) const = default;
};

/// The open design: the scenario, its evaluation, its undo stack and what is selected.
/// The only place that changes a scenario; everything shown is a projection of it. UI thread only.
///
/// The scenario changes at once; it is evaluated on a thread of its own. An edit waits for that a moment too
/// short to be felt, so that most designs show their new metrics together with the edit. Where it takes
/// longer, changed() comes with isEvaluating() and the metrics of before, and evaluated() when the new ones
/// are there. What reads metrics by index pairs evaluation() with results().scenario; by id there are
/// those of results().
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    /// The shipped catalogue with the user's library and the design's own parts.
    const engine::Catalog& catalog() const { return *m_catalog.shared(); }
    std::shared_ptr<const engine::Catalog> sharedCatalog() const { return m_catalog.shared(); }
    const engine::Scenario& scenario() const { return m_scenario; }
    /// The same as a value that others keep, on other threads too: one copy of a generation for all who ask.
    const engine::Shared<engine::Scenario>& shared() const;
    std::uint64_t generation() const { return m_generation; } ///< grows with whatever changes the scenario
    /// Replaces what the design's own parts add to: the shipped catalogue with the user's library.
    void setCatalog(std::shared_ptr<const engine::Catalog> catalog);

    bool isEvaluating() const { return m_evaluating; } ///< the metrics are those of an older scenario
    const engine::Evaluation& evaluation() const { return m_evaluated->evaluation; }
    const std::vector<engine::Diagnostic>& diagnostics() const { return m_evaluated->diagnostics; }
    const EvaluatedDesign& results() const { return *m_evaluated; }

    QUndoStack* undoStack() { return &m_undoStack; }
    Pins& pins() { return m_pins; } ///< of the window; whatever is opened
    const Selection& selection() const { return m_selection; }
    void select(Selection selection); ///< ids that are not there are dropped

    /// Does an edit and makes it undoable. Edits with the same non-empty `gesture` that follow each other
    /// become one undo step (typing in one field, dragging one slider). False when the engine refuses it:
    /// nothing changed and refused() tells why. `text`: what the step is called; empty: engine::describe().
    bool perform(const engine::GraphEdit& edit, const QString& gesture = {}, const QString& text = {});
    /// perform(setEdit(...)): a path set from text in the shown unit.
    bool set(const std::string& path, const std::string& text, const QString& gesture = {});

    /// Files. Errors are thrown as engine::Error and leave the document as it was.
    void newDesign();
    void openPreset(const std::string& id);
    void openFile(const QString& path);
    /// Opens a design that is in no file as it is: it counts as modified, and saving writes to `path`.
    void openRecovered(engine::Scenario scenario, const QString& path);
    void save(const QString& path) { m_file.save(m_scenario, path); } ///< DesignFile::save()
    const DesignFile& file() const { return m_file; }
    QString path() const { return m_file.path(); } ///< empty for a design never saved
    QString title() const;                         ///< file name, else the scenario's name, else "Untitled"
    bool isModified() const { return !m_undoStack.isClean(); }

    TraceReader& traces() { return m_traces; }

    /// Replaces the whole scenario by an undoable step (a point of a study put on the canvas).
    void replaceScenario(const engine::Shared<engine::Scenario>& scenario, const QString& text);

signals:
    void changed();        ///< the scenario changed; its metrics are there unless isEvaluating()
    void evaluated();      ///< metrics that came too late for changed()
    void reset();          ///< another design was opened; changed() follows
    void catalogChanged(); ///< catalog() has other parts; before changed() where both are due
    void selectionChanged();
    void titleChanged();
    void refused(const QString& message);

private:
    friend class EditCommand;
    friend class ReplaceCommand;
    engine::GraphEdit applyNow(const engine::GraphEdit& edit);         ///< from the undo stack only
    void replaceNow(const engine::Shared<engine::Scenario>& scenario); ///< from the undo stack only
    void adopt(engine::Scenario scenario, const QString& path, const FileStamp& file,
               const std::string& origin = {});
    void evaluateWithin(std::chrono::milliseconds patience);
    void refresh();

    DesignCatalog m_catalog;
    engine::Scenario m_scenario;
    std::uint64_t m_generation = 0;
    mutable engine::Shared<engine::Scenario> m_shared; ///< a copy of m_scenario
    mutable std::uint64_t m_sharedGeneration = 0;      ///< of it
    Evaluator m_evaluator;
    QTimer m_toEvaluate; ///< what changed is handed over with it
    std::shared_ptr<const EvaluatedDesign> m_evaluated = std::make_shared<EvaluatedDesign>();
    bool m_evaluating = false;
    Selection m_selection;
    QUndoStack m_undoStack;
    Pins m_pins;
    DesignFile m_file;
    TraceReader m_traces;
    bool m_stale = false; ///< the scenario changed and is not evaluated yet
};

/// The one child of its kind that a document has, made when it is first asked for.
template <class Child, class Make>
Child& oneOf(Document& document, Make make) {
    auto* child = document.findChild<Child*>(QString(), Qt::FindDirectChildrenOnly);
    return child ? *child : *make();
}

} // namespace heteroscape::widgets
