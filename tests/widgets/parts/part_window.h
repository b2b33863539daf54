// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/palette/palette_rows.h"
#include "widgets/parts/part_library.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace heteroscape::widgets {

/// A window with a library and settings of its own; errors are collected instead of shown.
struct PartWindow {
    QTemporaryDir folder;
    std::unique_ptr<PartLibrary> library;
    std::unique_ptr<MainWindow> window;
    QStringList errors;

    PartWindow() { reopen(QStringLiteral("library")); }

    /// Another start of the program, with the library of that folder.
    void reopen(const QString& libraryFolder) {
        window.reset();
        library = std::make_unique<PartLibrary>(folder.filePath(libraryFolder));
        MainWindow::Options options{folder.filePath(QStringLiteral("store.sqlite"))};
        options.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
        options.library = library.get();
        window = std::make_unique<MainWindow>(shippedCatalog(), options);
        FilePrompts prompts;
        prompts.askSave = [](const QString&) { return FilePrompts::Answer::Discard; };
        prompts.askOpenPath = [](const QString&) { return QString(); };
        prompts.askSavePath = prompts.askOpenPath;
        prompts.showError = [this](const QString& title, const QString& text) {
            errors << title + QLatin1Char('\n') + text;
        };
        window->files()->setPrompts(prompts);
        window->resize(1440, 900);
        window->show();
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        document().newDesign();
    }
    ~PartWindow() { window.reset(); }

    Document& document() { return *window->document(); }
    const engine::Scenario& scenario() { return document().scenario(); }
    PaletteList& list() { return *child<PalettePanel>(window)->findChild<PaletteList*>(); }

    /// The row of a part in its section; null when it is not shown.
    const PaletteRow* row(const std::string& id) {
        for (const auto& section : child<PalettePanel>(window)->sections())
            for (const auto& one : section.rows)
                if (one.part->id == id)
                    return &one;
        return nullptr;
    }
    /// Types into the palette's search and presses Enter.
    void choose(const char* words) {
        auto* search = child<PalettePanel>(window)->findChild<PaletteSearch*>();
        child<PalettePanel>(window)->focusSearch();
        search->clear();
        QTest::keyClicks(search, words);
        QTest::keyClick(search, Qt::Key_Return);
    }
};

/// Replaces the text of a field as a user does.
inline void replaceText(QLineEdit* field, const QString& text) {
    field->setFocus();
    field->selectAll();
    QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClicks(field, text);
}

inline QPushButton* okOf(const QWidget* editor) {
    return child<QPushButton>(editor, "ok");
}

} // namespace heteroscape::widgets
