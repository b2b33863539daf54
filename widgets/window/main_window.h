// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/jobs/job.h"
#include "widgets/settings/settings.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/top_bar.h"

#include <QMainWindow>

#include <memory>

class QMenu;
class QMimeData;
class QStackedWidget;

namespace heteroscape::widgets {

class Autosave;
class BottomDock;
class CanvasView;
class CommandRegistry;
class CompareWorkspace;
class ContextBar;
class ExploreWorkspace;
class FileFlow;
class InfoBanner;
class Inspector;
class MetricsStrip;
class PalettePanel;
class RecoveryStore;
class PartLibrary;
class PartsFlow;
class SimulationRunner;
class StartPage;
class StatusLine;
class WindowManager;
struct DesignReport;
struct RecoveryEntry;
struct PartRef;

/// A window of the program: bars, docks and the four workspaces over one document, and the start page in
/// their place before there is a design. UI thread.
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

    Document* document() const { return m_document; }
    FileFlow* files() const { return m_files; }
    CommandRegistry* commands() const { return m_commands; }
    CanvasView* canvas() const { return m_canvas; }
    PalettePanel* palette() const { return m_palette; }
    PartsFlow* parts() const { return m_parts; }
    Inspector* inspector() const { return m_inspector; }
    MetricsStrip* metrics() const { return m_metrics; }
    ContextBar* contextBar() const { return m_context; }
    TopBar* topBar() const { return m_top; }
    InfoBanner* banner() const { return m_banner; }
    SimulationRunner* simulation() const { return m_simulation; }
    BottomDock* bottom() const { return m_bottom; }
    StatusLine* statusLine() const { return m_status; }
    StartPage* startPage() const { return m_start; }
    Autosave* autosave() const { return m_autosave; } ///< null when designs are not autosaved

    Workspace workspace() const { return m_workspace; }
    void setWorkspace(Workspace workspace);
    QWidget* workspaceWidget(Workspace workspace) const;

    /// The page before there is a design; any workspace, and any design that is opened, takes its place
    /// again.
    void showStartPage();
    void leaveStartPage();
    bool isStartPageShown() const;
    void refreshStartPage(); ///< what there is to recover, and recent files

    void offerRecovery(); ///< asks in a dialog what shall become of designs that were left unsaved

    void rememberFile();                ///< puts the open file among the recent ones
    void openFile(const QString& path); ///< without a question; throws engine::Error
    void closeWithoutAsking();          ///< when it was asked about already
    /// Takes a file that was dropped anywhere: a design opens, a config.json becomes the model, a .csv the
    /// trace. What it cannot take is refused by a line in the status bar.
    bool takeDrop(const QMimeData* data);

    bool isBusy() const; ///< the workspace that is shown still works on what it shows

    CommandPalette* openCommandPalette();

    /// Opens the study of a paper's figure: its design like a preset, but by an undoable step when there are
    /// changes that are in no file; its axes and plots in the Explore workspace, and runs it. A study without
    /// axes is a design alone. False when there is no such study, the user cancelled or an error was shown.
    bool openStudy(const std::string& id);

signals:
    void closed(); ///< for good

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; ///< files dragged over a part of the window

private:
    void makeStartPage();
    void makeAutosave(std::shared_ptr<RecoveryStore> store);
    void recover(const std::vector<RecoveryEntry>& entries);
    void discardRecovered(const std::vector<RecoveryEntry>& entries);
    void selectChanged(const engine::Scenario& before); ///< what an undo changed
    void goToStep(int index);                           ///< of the undo stack
    void showHistory();
    void makeWorkspaces(const QString& storePath);
    void makeDocks();
    void giveBottomItsHeight(); ///< that it had when it was folded
    void makeCommands();
    void makeFileCommands();
    void makeEditCommands();
    void makeArrangeCommands();
    void makeViewCommands();
    void makeStudyCommands();
    void makeHints();
    void makeHelpCommands();
    void makeMenus();
    void wire();
    void wireParts(); ///< the palette, the user's library, editors of parts
    void makePartCommands();
    void followLibrary();              ///< the catalogue is the shipped one with the user's parts
    void usePart(const PartRef& part); ///< what a double click in the palette does
    void addPartEntries(std::vector<CommandPalette::Entry>& entries);
    void applyDocks();
    void resetLayout();
    void restoreLayout();
    void adaptToSize();
    void setPaletteRail(bool rail);
    void showTitle();
    void setThemeMode(ThemeMode mode);
    void showQuantity(const std::string& path); ///< selects what the path belongs to and focuses its field
    void sweep(const std::string& path);
    void compareWith(const QString& name, const engine::Scenario& design); ///< beside the open one
    void exportShown();                                                    ///< of the workspace that is shown
    void makeReport(); ///< of the design, with the plots of the study that is shown
    void showReport(const DesignReport& report);
    void exportPicture();
    void fillRecentMenu(QMenu* menu);
    void fillBaselineMenu(QMenu* menu); ///< what the open design is read against
    void refreshCommands();

    std::unique_ptr<Settings> m_settings;
    WindowManager* m_manager;
    std::shared_ptr<const engine::Catalog> m_shipped;
    PartLibrary* m_library;
    Document* m_document;
    Autosave* m_autosave = nullptr;
    SimulationRunner* m_simulation;
    CommandRegistry* m_commands = nullptr;
    FileFlow* m_files = nullptr;
    Job m_report; ///< what is told in it
    PartsFlow* m_parts = nullptr;
    TopBar* m_top = nullptr;
    ContextBar* m_context = nullptr;
    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    MetricsStrip* m_metrics = nullptr;
    InfoBanner* m_banner = nullptr;
    CanvasView* m_canvas = nullptr;
    ExploreWorkspace* m_explore = nullptr;
    CompareWorkspace* m_compare = nullptr;
    PalettePanel* m_palette = nullptr;
    QDockWidget* m_paletteDock = nullptr;
    Inspector* m_inspector = nullptr;
    StatusLine* m_status = nullptr;
    BottomDock* m_bottom = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QByteArray m_defaultLayout;
    Workspace m_workspace = Workspace::Design;
    bool m_compact = false;
    bool m_wide = false; ///< has room for more
    bool m_low = false;  ///< too low for an open bottom dock, unless the user opens it
    bool m_adapted = false;
    bool m_shown = false;
    bool m_mayClose = false; ///< asked about already
};

} // namespace heteroscape::widgets
