// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "widgets/window/top_bar.h"

#include <QObject>
#include <memory>
#include <string>
#include <vector>

class QMainWindow;
class QStackedWidget;

namespace heteroscape::widgets {

class BottomDock;
class CanvasView;
class CommandRegistry;
class CompareWorkspace;
class ContextBar;
class DockLayout;
class Document;
class ExploreWorkspace;
class FileFlow;
class FindPage;
class InfoBanner;
class Inspector;
class MetricsStrip;
class PalettePanel;
class PartLibrary;
class PartsFlow;
class PartUse;
class Settings;
class SimulationRunner;
class StartFlow;
class StatusLine;
class StepHistory;
class StudyFlow;
class TopBar;
class Tour;
class WindowCommands;
class WindowExports;
class WindowManager;
class Workspaces;

/// What a window consists of. MainWindow makes the pieces and lends them to the controllers, each of which
/// has one of the window's jobs; all of them are there before the user can do anything.
struct WindowPieces {
    QMainWindow* widget = nullptr;
    QStackedWidget* stack = nullptr;  ///< the middle: what is made in it is not moved there when it is full
    WindowManager* manager = nullptr; ///< null: the only window
    std::shared_ptr<const engine::Catalog> shipped;
    PartLibrary* library = nullptr;
    Settings* settings = nullptr;
    Document* document = nullptr;
    SimulationRunner* simulation = nullptr;
    CommandRegistry* commands = nullptr;
    FileFlow* files = nullptr;
    PartsFlow* parts = nullptr;

    TopBar* top = nullptr;
    ContextBar* context = nullptr;
    MetricsStrip* metrics = nullptr;
    InfoBanner* banner = nullptr;
    CanvasView* canvas = nullptr;
    ExploreWorkspace* explore = nullptr;
    FindPage* find = nullptr; ///< a page of it
    CompareWorkspace* compare = nullptr;
    PalettePanel* palette = nullptr;
    Inspector* inspector = nullptr;
    BottomDock* bottom = nullptr;
    StatusLine* status = nullptr;

    Workspaces* workspaces = nullptr;
    DockLayout* docks = nullptr;
    StartFlow* start = nullptr;
    StepHistory* steps = nullptr;
    PartUse* partUse = nullptr;
    StudyFlow* studies = nullptr;
    WindowExports* exports = nullptr;
    WindowCommands* commandSet = nullptr;
    Tour* tour = nullptr;
};

/// Selects what the path belongs to and puts the focus into its field.
void showQuantity(const WindowPieces& window, const std::string& path);

class StartPage;

/// Which workspace is shown, and the start page in their place before there is a design. UI thread.
class Workspaces : public QObject {
    Q_OBJECT
public:
    /// `pages`: a widget for each workspace, in their order, made in window.stack.
    Workspaces(const WindowPieces& window, const std::vector<QWidget*>& pages);

    Workspace current() const { return m_current; }
    void show(Workspace workspace); ///< also in place of the start page
    QWidget* widget(Workspace workspace) const;
    bool isDesignShown() const { return m_current == Workspace::Design && !isStartShown(); }
    bool isBusy() const; ///< what is shown still works on what it shows

    StartPage* startPage() const { return m_start; }
    void enterStart();
    void leaveStart(); ///< for the workspace of designs
    bool isStartShown() const;

signals:
    void changed(); ///< another workspace is shown, or the start page

private:
    const WindowPieces& m_window;
    QStackedWidget* m_stack;
    StartPage* m_start;
    Workspace m_current = Workspace::Design;
};

} // namespace heteroscape::widgets
