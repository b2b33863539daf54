// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"

#include <QTemporaryDir>

namespace heteroscape::widgets {

/// Who answers when the program asks about files; keeps what was asked and what went wrong.
struct Answers {
    FilePrompts::Answer answer = FilePrompts::Answer::Discard; ///< about changes, when `answers` has no more
    QList<FilePrompts::Answer> answers;                        ///< given one after the other
    QString openPath, savePath;                                ///< empty: cancelled
    QStringList asked;                                         ///< titles
    FilePrompts::Replace replace = FilePrompts::Replace::Cancel;
    QStringList replaced; ///< paths that were asked about
    QStringList errors;

    FilePrompts prompts() {
        FilePrompts prompts;
        prompts.askSave = [this](const QString& title) {
            asked << title;
            return answers.isEmpty() ? answer : answers.takeFirst();
        };
        prompts.askReplace = [this](const QString& path) {
            replaced << path;
            return replace;
        };
        prompts.askOpenPath = [this](const QString&) { return openPath; };
        prompts.askSavePath = [this](const QString&) { return savePath; };
        prompts.askModelPath = [this](const QString&) { return openPath; };
        prompts.showError = [this](const QString&, const QString& text) { errors << text; };
        return prompts;
    }
};

/// The program's window with a preset open, with studies, settings and files of its own.
struct TestWindow : Answers {
    QTemporaryDir folder;
    std::unique_ptr<MainWindow> window;

    explicit TestWindow(const char* preset = "glitches/a100-7u280") { reopen(preset); }
    TestWindow(const TestWindow&) = delete;
    TestWindow& operator=(const TestWindow&) = delete;
    ~TestWindow() { window.reset(); }

    /// The program starts again: another window on the same studies and settings.
    void reopen(const char* preset = "glitches/a100-7u280") {
        start({storePath(), file("settings.ini")});
        if (*preset)
            document().openPreset(preset);
    }

    QString file(const char* name) const { return folder.filePath(QString::fromUtf8(name)); }
    QString storePath() const { return file("studies.sqlite"); }
    Document& document() const { return *window->document(); }
    const engine::Scenario& scenario() const { return document().scenario(); }
    ExploreWorkspace& explore() const { return *child<ExploreWorkspace>(window); }
    void undo() { document().undoStack()->undo(); }
    /// Waits for the metrics of the open design: on a busy machine they come after changed().
    void awaitMetrics() const { QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000); }

protected:
    struct NotYet {};
    explicit TestWindow(NotYet) {} ///< whoever derives from it starts it

    void start(const MainWindow::Options& options) {
        window.reset();
        asked.clear();
        errors.clear();
        window = std::make_unique<MainWindow>(shippedCatalog(), options);
        window->files()->setPrompts(prompts());
        present(window.get());
    }
};

} // namespace heteroscape::widgets
