// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/edit.h"
#include "widgets/document/evaluator.h"
#include "widgets/document/file_stamp.h"
#include "widgets/document/pins.h"
#include "widgets/jobs/job.h"

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
/// are there. What reads metrics by index pairs evaluation() with evaluatedScenario(); by id there are
/// nodeResult() and linkResult().
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    /// The shipped catalogue with the user's library and the design's own parts.
    const engine::Catalog& catalog() const { return *m_catalog; }
    std::shared_ptr<const engine::Catalog> sharedCatalog() const { return m_catalog; }
    const engine::Scenario& scenario() const { return m_scenario; }
    /// Replaces what the design's own parts add to: the shipped catalogue with the user's library.
    void setCatalog(std::shared_ptr<const engine::Catalog> catalog);

    bool isEvaluating() const { return m_evaluating; } ///< the metrics are those of an older scenario
    const engine::Evaluation& evaluation() const { return m_evaluated->evaluation; }
    const engine::Scenario& evaluatedScenario() const { return m_evaluated->scenario; }
    const std::vector<engine::Diagnostic>& diagnostics() const { return m_evaluated->diagnostics; }
    double evaluationSeconds() const { return m_evaluated->seconds; }
    /// Metrics of a node and of a link; null while there are none.
    const engine::NodeEvaluation* nodeResult(const engine::NodeId& id) const;
    const engine::LinkEvaluation* linkResult(const engine::LinkId& id) const;

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
    /// Writes the design as it is now, off the UI thread, even when the document goes meanwhile: saved() or
    /// saveFailed() follows. What is changed until then stays modified. Not while isSaving().
    void save(const QString& path);
    bool isSaving() const { return m_saveJob.isBusy(); }
    QString path() const { return m_path; } ///< empty for a design never saved
    QString title() const;                  ///< file name, else the scenario's name, else "Untitled"
    /// The file is not as it was left here when it was read or written last: somebody else saved it.
    bool isFileChanged() const;
    bool isModified() const { return !m_undoStack.isClean(); }

    /// Traces of requests are read off the UI thread: traceRead() follows. What an opened design names is
    /// read where the rights allow it (engine::loadTrace()); this reads it with others, once its user has
    /// said so.
    void readTrace(engine::TraceRights rights);
    /// Reads a trace that the user chose and makes it the arrivals, or traceRefused() tells why not.
    void chooseTrace(const QString& path);
    bool isReadingTrace() const { return m_traceJob.isBusy(); }

    /// Replaces the whole scenario by an undoable step (a point of a study put on the canvas).
    void replaceScenario(const engine::Scenario& scenario, const QString& text);

signals:
    void changed();        ///< the scenario changed; its metrics are there unless isEvaluating()
    void evaluated();      ///< metrics that came too late for changed()
    void reset();          ///< another design was opened; changed() follows
    void catalogChanged(); ///< catalog() has other parts; before changed() where both are due
    void selectionChanged();
    void titleChanged();
    void saved(const QString& path);
    void saveFailed(const QString& message);
    void refused(const QString& message);
    void traceRead(); ///< no trace is being read any more
    void traceRefused(const QString& message);

private:
    friend class EditCommand;
    friend class ReplaceCommand;
    engine::GraphEdit applyNow(const engine::GraphEdit& edit); ///< from the undo stack only
    void replaceNow(const engine::Scenario& scenario);         ///< from the undo stack only
    void adopt(engine::Scenario scenario, const QString& path);
    void stackMoved();
    void evaluateWithin(std::chrono::milliseconds patience);
    void takeLate();
    void mergeCatalog();
    void refresh();

    std::shared_ptr<const engine::Catalog> m_base;
    std::shared_ptr<const engine::Catalog> m_catalog; ///< m_base and m_merged
    engine::OwnParts m_merged;
    engine::Scenario m_scenario;
    Evaluator m_evaluator;
    std::shared_ptr<const EvaluatedDesign> m_evaluated = std::make_shared<EvaluatedDesign>();
    bool m_evaluating = false;
    Selection m_selection;
    QUndoStack m_undoStack;
    Pins m_pins;
    QString m_path;
    FileStamp m_file; ///< as it was when it was read or written
    Job m_traceJob;
    Job m_saveJob{Job::Order::EachToTheEnd};
    unsigned m_opened = 0; ///< designs so far
    bool m_stale = false;  ///< the scenario changed and is not evaluated yet
};

} // namespace heteroscape::widgets
