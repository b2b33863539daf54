// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/largest_within.h"
#include "widgets/jobs/job.h"
#include "widgets/window/window_pieces.h"

#include <QDialog>
#include <QObject>
#include <optional>

class QPushButton;

namespace heteroscape::widgets {

class Document;
class LimitList;
class TextLabel;

/// Which batch a design can take within limits that its user sets, and what stops it there; sets it. Steady
/// state. The answer follows the limits, and is looked for off the UI thread. UI thread.
class LargestBatchDialog : public QDialog {
    Q_OBJECT
public:
    explicit LargestBatchDialog(Document* document, QWidget* parent = nullptr);

private:
    void seek();
    void showFound(const engine::LargestWithin& found);
    void showProblem(const QString& problem);
    void setBatch();

    Document* m_document;
    LimitList* m_limits;
    TextLabel* m_answer;
    TextLabel* m_stop;
    QPushButton* m_set;
    std::optional<double> m_found;
    Job m_job;
};

} // namespace heteroscape::widgets

namespace heteroscape::engine {
struct Scenario;
}

namespace heteroscape::widgets {

/// From the design to what is asked about it: sweeps, comparisons, hints and the figures of papers. UI
/// thread.
class StudyFlow : public QObject {
    Q_OBJECT
public:
    explicit StudyFlow(const WindowPieces& window);

    void addCommands();
    void sweep(const std::string& path);
    void compareWith(const QString& name, const engine::Scenario& design); ///< beside the open one

    /// Opens the study of a paper's figure: its design like a preset, but by an undoable step when there are
    /// changes that are in no file; its axes and plots in the Explore workspace, and runs it. A study without
    /// axes is a design alone. False when there is no such study, the user cancelled or an error was shown.
    bool open(const std::string& id);

private:
    void makeHints();

    const WindowPieces& m_window;
};

} // namespace heteroscape::widgets
