// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QObject>
#include <QString>
#include <functional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

class StartPage;
struct RecoveryEntry;

/// The page before there is a design, and what becomes of designs that were left unsaved. UI thread.
class StartFlow : public QObject {
    Q_OBJECT
public:
    StartFlow(const WindowPieces& window, StartPage* page);

    StartPage* page() const { return m_page; }
    void show();
    void refresh();       ///< what there is to recover, and recent files
    void offerRecovery(); ///< asks in a dialog what shall become of designs that were left unsaved

private:
    void recover(const std::vector<RecoveryEntry>& entries);
    void discard(const std::vector<RecoveryEntry>& entries);

    const WindowPieces& m_window;
    StartPage* m_page;
};

} // namespace heteroscape::widgets

namespace heteroscape::engine {
struct Scenario;
}

namespace heteroscape::widgets {

class Document;
class Settings;

/// What the user is asked on the way of opening and saving; replaced where nobody can answer.
struct FilePrompts {
    enum class Answer { Save, Discard, Cancel };
    std::function<Answer(const QString& title)> askSave;
    enum class Replace { Overwrite, SaveAs, Cancel };
    /// The file was saved by somebody else meanwhile. Without an answer it stays.
    std::function<Replace(const QString& path)> askReplace{};
    std::function<QString(const QString& folder)> askOpenPath;     ///< empty: cancelled
    std::function<QString(const QString& suggestion)> askSavePath; ///< empty: cancelled
    std::function<QString(const QString& folder)> askModelPath{};  ///< empty: cancelled
    std::function<void(const QString& title, const QString& text)> showError;
};

/// What opening a file means where the program has several windows.
struct OtherWindows {
    std::function<bool(const QString& path)> raise; ///< the window that shows this file; false: none does
    std::function<void(const QString& path)> openInAnother; ///< throws engine::Error: then there is no other
};

/// New, open, save and save as, with the question about unsaved changes. Nothing is lost without being asked,
/// and a file that cannot be read leaves the open design as it is. Where there are other windows, a file is
/// opened once: its window comes forward; else it opens here when this design is empty and untouched, and in
/// another window when it is not. New designs and presets replace the design of this window. UI thread.
class FileFlow : public QObject {
    Q_OBJECT
public:
    FileFlow(Document* document, Settings* settings, QWidget* window);

    void setPrompts(FilePrompts prompts) { m_prompts = std::move(prompts); }
    void setOtherWindows(OtherWindows others) { m_others = std::move(others); }
    /// What reads a model's file and serves it instead of this, and whether that was done.
    using ModelReader = std::function<bool(const QString& path)>;
    void setModelReader(ModelReader reader) { m_readModel = std::move(reader); }
    void showError(const QString& title, const QString& text) { m_prompts.showError(title, text); }

    // Each returns whether it was done: false when the user cancelled or an error was shown. What is saved is
    // written by and by (Document::save()): true when it is under way; whoever discards a design waits for
    // it.
    bool newDesign();
    bool openPreset(const std::string& id);
    /// A design that is neither a file nor a preset, under its name. In place of one without a file it is an
    /// undoable change; saving must not write it over a file.
    bool openDesign(engine::Scenario design, const QString& name);
    bool open();
    bool openPath(const QString& path);
    bool save();
    bool saveAs();
    bool importModel();                        ///< asks for a config.json and serves its model
    bool importModelFrom(const QString& path); ///< one undoable change
    bool pasteLaunch();       ///< opens the design that launch commands in the clipboard start
    bool mayDiscard();        ///< asks about unsaved changes, if there are any
    bool isUntouched() const; ///< an empty design that nothing was done to

    void remember();         ///< puts the open file among the recent ones
    static QString filter(); ///< of file dialogs: "Heteroscape designs (*.hscape)"

signals:
    void settling(); ///< before the design is saved or left: what is still being written belongs to it

private:
    void saveTo(const QString& path);
    void finishSaving(); ///< waits, without the user's doing anything meanwhile
    bool openHere(const QString& path);
    template <class Work>
    bool attempt(const QString& title, Work work);

    Document* m_document;
    Settings* m_settings;
    FilePrompts m_prompts;
    OtherWindows m_others;
    ModelReader m_readModel;
};

} // namespace heteroscape::widgets
