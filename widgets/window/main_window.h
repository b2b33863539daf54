// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/settings/settings.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QMainWindow>

#include <memory>

namespace heteroscape::widgets {

class Autosave;
class RecoveryStore;

/// A window of the program: bars, docks and the four workspaces over one document, and the start page in
/// their place before there is a design. It makes the pieces and joins them; what can be done with them is
/// in the controllers (window_pieces.h). UI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Options {
        QString storePath;                         ///< SQLite file of the studies
        QString settingsFile{};                    ///< instead of the user's own settings
        std::shared_ptr<RecoveryStore> recovery{}; ///< null: the design is not autosaved
        WindowManager* manager = nullptr;          ///< null: the only window
        PartLibrary* library = nullptr; ///< outlives the window; null: the user's, or beside settingsFile
    };
    MainWindow(std::shared_ptr<const engine::Catalog> catalog, const Options& options);
    ~MainWindow() override;

    Document* document() const { return m_window.document; }
    FileFlow* files() const { return m_window.files; }
    CommandRegistry* commands() const { return m_window.commands; }
    CanvasView* canvas() const { return m_window.canvas; }
    PartsFlow* parts() const { return m_window.parts; }
    Inspector* inspector() const { return m_window.inspector; }
    SimulationRunner* simulation() const { return m_window.simulation; }
    BottomDock* bottom() const { return m_window.bottom; }

    Workspace workspace() const;
    void setWorkspace(Workspace workspace);
    bool isBusy() const; ///< the workspace that is shown still works on what it shows

    /// The page before there is a design; any workspace, and any design that is opened, takes its place
    /// again.
    void showStartPage();
    void leaveStartPage();
    void offerTour(); ///< to a user who was not asked yet
    bool isStartPageShown() const;
    StartFlow& start() const { return *m_window.start; } ///< recovery, and what the start page lists
    Autosave* autosave() const { return m_autosave; }    ///< null when designs are not autosaved

    void openFile(const QString& path);    ///< without a question; throws engine::Error
    void closeWithoutAsking();             ///< when it was asked about already
    bool openStudy(const std::string& id); ///< StudyFlow::open()
    CommandPalette* openCommandPalette();

signals:
    void closed(); ///< for good

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makePieces(QWidget* design, const QString& storePath);
    void makeControllers(QWidget* design);
    void makeHead();
    void makeAutosave(std::shared_ptr<RecoveryStore> store);
    void wire();
    void showTitle();

    std::unique_ptr<Settings> m_settings;
    WindowPieces m_window;
    Autosave* m_autosave = nullptr;
    bool m_shown = false;
    bool m_mayClose = false; ///< asked about already
};

} // namespace heteroscape::widgets
