// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/window/test_window.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/palette/palette_rows.h"
#include "widgets/parts/part_library.h"

#include <QLineEdit>
#include <QPushButton>

namespace heteroscape::widgets {

/// A window with a library of its own and an empty design.
struct PartWindow : TestWindow {
    std::unique_ptr<PartLibrary> library;

    PartWindow() : TestWindow(NotYet()) { reopen("library"); }
    ~PartWindow() { window.reset(); }

    /// Another start of the program, with the library of that folder.
    void reopen(const char* libraryFolder) {
        window.reset();
        library = std::make_unique<PartLibrary>(file(libraryFolder));
        MainWindow::Options options{storePath(), file("settings.ini")};
        options.library = library.get();
        start(options);
        document().newDesign();
    }

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

/// The base of tests of parts: each test function gets a new window.
class PartFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<PartWindow> m_at;

    static void press(QPushButton* button) { QTest::mouseClick(button, Qt::LeftButton); }

protected slots:
    void init() { m_at = std::make_unique<PartWindow>(); }
    void cleanup() { m_at.reset(); }
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
