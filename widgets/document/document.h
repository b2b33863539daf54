// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace heteroscape::widgets {

/// What is selected, for canvas and inspector alike.
struct Selection {
    std::vector<engine::NodeId> nodes;
    std::vector<engine::LinkId> links;
    bool empty() const { return nodes.empty() && links.empty(); }
    bool operator==(const Selection&) const = default;
};

/// The open design: the scenario, its evaluation, its undo stack and what is selected.
/// The only place that changes a scenario; everything shown is a projection of it. UI thread only.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    const engine::Catalog& catalog() const { return *m_catalog; }
    std::shared_ptr<const engine::Catalog> sharedCatalog() const { return m_catalog; }
    const engine::Scenario& scenario() const { return m_scenario; }
    const engine::Evaluation& evaluation() const { return m_evaluation; }
    const std::vector<engine::Diagnostic>& diagnostics() const { return m_diagnostics; }
    double evaluationSeconds() const { return m_evaluationSeconds; }

    QUndoStack* undoStack() { return &m_undoStack; }
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
    void saveFile(const QString& path);
    QString path() const { return m_path; } ///< empty for a design never saved
    QString title() const;                  ///< file name, else the scenario's name, else "Untitled"
    bool isModified() const { return !m_undoStack.isClean(); }

    /// Replaces the whole scenario by an undoable step (a point of a study put on the canvas).
    void replaceScenario(const engine::Scenario& scenario, const QString& text);

signals:
    void changed(); ///< the scenario changed and is evaluated
    void reset();   ///< another design was opened; changed() follows
    void selectionChanged();
    void titleChanged();
    void refused(const QString& message);

private:
    friend class EditCommand;
    friend class ReplaceCommand;
    engine::GraphEdit applyNow(const engine::GraphEdit& edit); ///< from the undo stack only
    void replaceNow(const engine::Scenario& scenario);         ///< from the undo stack only
    void adopt(engine::Scenario scenario, const QString& path);
    void stackMoved();
    void evaluateNow();
    void refresh();

    std::shared_ptr<const engine::Catalog> m_catalog;
    engine::Scenario m_scenario;
    engine::Evaluation m_evaluation;
    std::vector<engine::Diagnostic> m_diagnostics;
    double m_evaluationSeconds = 0.0;
    Selection m_selection;
    QUndoStack m_undoStack;
    QString m_path;
    bool m_stale = false; ///< the scenario changed and is not evaluated yet
};

} // namespace heteroscape::widgets
