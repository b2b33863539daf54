// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/theme/theme.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace heteroscape::widgets {

/// What initTestCase() of a test of the window does first.
inline void startWindowTests() {
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().install(*qApp);
}

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

/// Shows a window and waits until it has the keyboard.
inline void present(MainWindow* window, QSize size = {1440, 900}) {
    window->resize(size);
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window));
}

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
        window.reset();
        asked.clear();
        errors.clear();
        window = std::make_unique<MainWindow>(shippedCatalog(),
                                              MainWindow::Options{storePath(), file("settings.ini")});
        window->files()->setPrompts(prompts());
        present(window.get());
        if (*preset)
            document().openPreset(preset);
    }

    QString file(const char* name) const { return folder.filePath(QString::fromUtf8(name)); }
    QString storePath() const { return file("studies.sqlite"); }
    Document& document() const { return *window->document(); }
    const engine::Scenario& scenario() const { return document().scenario(); }
    ExploreWorkspace& explore() const { return *child<ExploreWorkspace>(window); }
    void undo() { document().undoStack()->undo(); }
};

} // namespace heteroscape::widgets
