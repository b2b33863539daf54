// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "engine/base/error.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/property_mime.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/document/autosave.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/inspector/inspector.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/parts/parts_flow.h"
#include "widgets/roofline/roofline_workspace.h"
#include "widgets/start/start_page.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/info_banner.h"
#include "widgets/window/messages_panel.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"
#include "widgets/window/tab_drop.h"
#include "widgets/window/wheel_guard.h"
#include "widgets/window/window_manager.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kCompactWidth = 1360;
constexpr int kChipsWidth = 1440; ///< from which every technique has its own chip
constexpr int kLowHeight = 780;
constexpr int kRailWidth = 72;
constexpr int kPaletteWidth = 224;
constexpr int kWideWidth = 1800; ///< from which the palette has room for long names
constexpr int kPaletteWide = 272;
constexpr int kPaletteMaximum = 320;
constexpr int kInspectorWidth = 296;
constexpr int kInspectorMaximum = 420;
constexpr int kLayoutVersion = 2; ///< raised when docks change, so that an old layout is not restored

/// With settings of its own, a window neither reads nor changes the user's parts.
QString libraryBeside(const QString& settingsFile) {
    return QFileInfo(settingsFile).absoluteDir().filePath(QStringLiteral("library"));
}

} // namespace

MainWindow::MainWindow(std::shared_ptr<const engine::Catalog> catalog, const Options& options)
    : m_settings(options.settingsFile.isEmpty() ? std::make_unique<Settings>()
                                                : std::make_unique<Settings>(options.settingsFile)),
      m_manager(options.manager), m_shipped(std::move(catalog)),
      m_library(options.library ? options.library
                : options.settingsFile.isEmpty()
                    ? PartLibrary::shared()
                    : new PartLibrary(libraryBeside(options.settingsFile), this)),
      m_document(new Document(m_library->over(m_shipped), this)), m_simulation(simulationOf(m_document)) {
    setObjectName(QStringLiteral("MainWindow"));
    setAcceptDrops(true);
    setMinimumSize(1024, 640);
    resize(1440, 900);
    if (!m_manager || m_manager->windows().empty()) // later windows look as the others do
        Theme::instance().setMode(m_settings->themeMode());
    m_commands = new CommandRegistry(this);
    m_files = new FileFlow(m_document, m_settings.get(), this);
    m_parts = new PartsFlow(m_document, m_library, this);
    connect(&m_report, &Job::failed, this,
            [this](const QString& message) { m_status->showMessage(message, 12000); });

    makeWorkspaces(options.storePath);
    makeStartPage();
    makeDocks();
    makeCommands();
    m_status = new StatusLine(m_document, this);
    setStatusBar(m_status);
    auto* bulb = new QToolButton(m_status);
    bulb->setDefaultAction(m_commands->action(QStringLiteral("study.hints")));
    m_status->addPermanentWidget(bulb);
    m_top = new TopBar(*m_commands, this);
    m_context = new ContextBar(m_document, this);
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_top);
    column->addWidget(m_context);
    setMenuWidget(head);
    makeMenus();
    wire();
    makeAutosave(options.recovery);
    qApp->installEventFilter(this);
    WheelGuard::install();
    m_defaultLayout = saveState(kLayoutVersion);
    restoreLayout();
    adaptToSize();
    showTitle();
    refreshCommands();
}

MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
    delete m_autosave; // while there is a document to ask
    m_autosave = nullptr;
    // Docks and workspaces listen to the document and its simulation; these must not speak while they go. Nor
    // must the docks, which hide before they go.
    m_document->disconnect();
    m_document->undoStack()->disconnect();
    m_simulation->disconnect();
    for (auto* dock : findChildren<QDockWidget*>())
        dock->disconnect(this);
}

void MainWindow::makeWorkspaces(const QString& storePath) {
    auto* design = new QWidget(this);
    m_metrics = new MetricsStrip(m_document, m_settings.get(), design);
    m_banner = new InfoBanner(m_document, design);
    m_canvas = new CanvasView(*m_document, design);
    auto* column = new QVBoxLayout(design);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_metrics);
    column->addWidget(m_banner);
    column->addWidget(m_canvas, 1);
    m_stack = new QStackedWidget(this);
    m_explore = new ExploreWorkspace(m_document, storePath, this);
    m_compare = new CompareWorkspace(m_document->sharedCatalog(), this);
    m_compare->setDocument(m_document);
    m_stack->addWidget(design); // in the order of Workspace
    m_stack->addWidget(m_explore);
    m_stack->addWidget(new RooflineWorkspace(m_document, this));
    m_stack->addWidget(m_compare);
    setCentralWidget(m_stack);
}

void MainWindow::makeDocks() {
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setDockOptions(QMainWindow::AnimatedDocks);
    const auto bare = [](QDockWidget* dock) { // a title only while it floats: the content names itself
        dock->setFeatures(QDockWidget::DockWidgetFloatable | QDockWidget::DockWidgetMovable |
                          QDockWidget::DockWidgetClosable);
        dock->setTitleBarWidget(new QWidget(dock));
        connect(dock, &QDockWidget::topLevelChanged, dock, [dock](bool floating) {
            delete dock->titleBarWidget();
            dock->setTitleBarWidget(floating ? nullptr : new QWidget(dock));
        });
    };
    m_palette = new PalettePanel(m_document, m_settings.get(), m_library, this);
    m_paletteDock = new QDockWidget(tr("Palette"), this);
    m_paletteDock->setObjectName(QStringLiteral("PaletteDock"));
    m_paletteDock->setWidget(m_palette);
    bare(m_paletteDock);
    addDockWidget(Qt::LeftDockWidgetArea, m_paletteDock);

    m_inspector = new Inspector(m_document, this);
    m_inspectorDock = new QDockWidget(tr("Inspector"), this);
    m_inspectorDock->setObjectName(QStringLiteral("InspectorDock"));
    m_inspectorDock->setWidget(m_inspector);
    m_inspectorDock->setMinimumWidth(kInspectorWidth);
    m_inspectorDock->setMaximumWidth(kInspectorMaximum);
    bare(m_inspectorDock);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);

    m_bottom = new BottomDock(m_document, m_simulation, this);
    m_bottom->setObjectName(QStringLiteral("BottomDock"));
    bare(m_bottom);
    addDockWidget(Qt::BottomDockWidgetArea, m_bottom);
    connect(m_bottom, &BottomDock::openChanged, this, [this](bool open) {
        if (open)
            QTimer::singleShot(0, this, &MainWindow::giveBottomItsHeight); // once its new limits count
    });
}

void MainWindow::giveBottomItsHeight() {
    if (m_bottom->isOpen() && !m_bottom->isFloating())
        resizeDocks({m_bottom}, {m_bottom->openHeight()}, Qt::Vertical);
}

void MainWindow::setPaletteRail(bool rail) {
    m_palette->setCompact(rail);
    // A rail has one width; the list has a range.
    m_palette->setMinimumWidth(rail ? kRailWidth : m_wide ? kPaletteWide : kPaletteWidth);
    m_palette->setMaximumWidth(rail ? kRailWidth : kPaletteMaximum);
}

void MainWindow::wire() {
    wireParts();
    connect(m_palette, &PalettePanel::expandRequested, this, [this] {
        setPaletteRail(false);
        m_palette->focusSearch();
    });
    connect(m_top, &TopBar::workspaceChosen, this, &MainWindow::setWorkspace);
    connect(m_context, &ContextBar::presetRequested, m_files, &FileFlow::openPreset);
    connect(m_context, &ContextBar::messageChanged, m_status, [this](const QString& message) {
        message.isEmpty() ? m_status->clearMessage() : m_status->showMessage(message);
    });
    connect(m_metrics, &MetricsStrip::quantityRequested, this, &MainWindow::showQuantity);
    connect(m_metrics, &MetricsStrip::simulationRequested, this,
            [this] { m_bottom->showPage(BottomDock::Page::Latency); });
    connect(m_context, &ContextBar::quantityRequested, this, &MainWindow::showQuantity);
    connect(m_explore, &ExploreWorkspace::quantityRequested, this, &MainWindow::showQuantity);
    connect(m_bottom->messages(), &MessagesPanel::quantityRequested, this, &MainWindow::showQuantity);
    connect(m_inspector, &Inspector::sweepRequested, this, &MainWindow::sweep);
    auto* tabDrop = new TabDrop(m_top->tabs(), static_cast<int>(Workspace::Explore));
    tabDrop->setReader([this](const QMimeData& dragged) {
        return decodeProperty(dragged, m_document->scenario(), m_document->catalog()).value_or(std::string());
    });
    connect(tabDrop, &TabDrop::propertyDropped, this, &MainWindow::sweep);
    connect(m_canvas, &CanvasView::openPresetRequested, m_context, &ContextBar::showPresets);
    connect(m_canvas, &CanvasView::findPartRequested, m_commands->action(QStringLiteral("part.find")),
            &QAction::trigger);
    connect(&m_canvas->placing(), &Placing::presetDropped, m_files,
            [this](const QString& id) { m_files->openPreset(id.toStdString()); });
    connect(&m_canvas->cards(), &CardActions::techniqueShown, this, [this](const std::string& id) {
        m_inspectorDock->show();
        m_inspector->focusField("techniques." + id + ".enabled");
        m_canvas->setFocus(Qt::OtherFocusReason); // where keys still mean what was clicked
    });
    connect(m_files, &FileFlow::settling, &m_canvas->notes(), &CanvasNotes::finish);
    connect(m_canvas, &CanvasView::message, m_status,
            [this](const QString& message) { m_status->showMessage(message, 6000); });
    connect(m_explore, &ExploreWorkspace::designOpened, this, [this] { setWorkspace(Workspace::Design); });
    connect(m_compare, &CompareWorkspace::openScenarioRequested, this, [this](const QString& id) {
        if (m_files->openPreset(id.toStdString()))
            setWorkspace(Workspace::Design);
    });
    connect(m_compare, &CompareWorkspace::openDesignRequested, this,
            [this](const engine::Scenario& scenario, const QString& name) {
                if (!m_files->openDesign(scenario, name))
                    return;
                setWorkspace(Workspace::Design);
                m_canvas->camera().fitAll();
            });
    connect(m_document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(m_document, &Document::changed, this, &MainWindow::refreshCommands);
    connect(m_document, &Document::evaluated, this, &MainWindow::refreshCommands);
    connect(m_document, &Document::selectionChanged, this, &MainWindow::refreshCommands);
    connect(&m_document->pins(), &Pins::changed, this, &MainWindow::refreshCommands);
    connect(&Theme::instance(), &Theme::changed, this, &MainWindow::refreshCommands);
}

QWidget* MainWindow::workspaceWidget(Workspace workspace) const {
    return m_stack->widget(static_cast<int>(workspace));
}

bool MainWindow::isBusy() const {
    if (isStartPageShown())
        return m_start->isBusy();
    return (m_workspace == Workspace::Compare && !m_compare->isEvaluated()) ||
           (m_workspace == Workspace::Explore && m_explore->isBusy()) ||
           (m_workspace == Workspace::Design && m_simulation->isBusy());
}

void MainWindow::setWorkspace(Workspace workspace) {
    m_workspace = workspace;
    m_context->show();
    m_stack->setCurrentIndex(static_cast<int>(workspace));
    m_top->setWorkspace(workspace);
    applyDocks();
    refreshCommands();
}

void MainWindow::applyDocks() {
    const bool design = m_workspace == Workspace::Design && !isStartPageShown();
    for (auto* dock : findChildren<QDockWidget*>()) {
        const auto* wanted = m_commands->action(QStringLiteral("view.") + dock->objectName());
        dock->setVisible(design && (!wanted || wanted->isChecked()));
    }
    if (m_status)
        m_status->setVisible(!isStartPageShown()); // there is nothing to say of a design yet
}

void MainWindow::resetLayout() {
    restoreState(m_defaultLayout, kLayoutVersion);
    for (const auto* dock : findChildren<QDockWidget*>())
        if (auto* wanted = m_commands->action(QStringLiteral("view.") + dock->objectName()))
            wanted->setChecked(true);
    m_bottom->setOpen(!m_low);
    QTimer::singleShot(0, this, &MainWindow::giveBottomItsHeight);
    setPaletteRail(m_compact);
    applyDocks();
}

void MainWindow::restoreLayout() {
    restoreGeometry(m_settings->geometry());
    if (!restoreState(m_settings->dockState(), kLayoutVersion))
        return;
    for (const auto* dock : findChildren<QDockWidget*>())
        if (auto* wanted = m_commands->action(QStringLiteral("view.") + dock->objectName()))
            wanted->setChecked(!dock->isHidden());
}

void MainWindow::adaptToSize() {
    if (const bool low = height() < kLowHeight; !m_adapted || low != m_low) {
        m_low = low;
        m_bottom->setOpen(!low);
    }
    m_context->setCompact(width() < kChipsWidth);
    const bool compact = width() < kCompactWidth;
    const bool wide = width() >= kWideWidth;
    if (m_adapted && compact == m_compact && wide == m_wide)
        return;
    m_wide = wide;
    m_adapted = true;
    m_compact = compact;
    setPaletteRail(compact);
    m_top->setCompact(compact);
    m_metrics->setNotesVisible(!compact);
}

void MainWindow::showTitle() {
    setWindowTitle(tr("%1[*] \u2013 Heteroscape").arg(m_document->title()));
    setWindowModified(m_document->isModified());
    setWindowFilePath(m_document->path());
}

void MainWindow::setThemeMode(ThemeMode mode) {
    m_settings->setThemeMode(mode);
    Theme::instance().setMode(mode);
}

void MainWindow::showQuantity(const std::string& path) {
    setWorkspace(Workspace::Design);
    const auto middle = [&path] {
        const auto first = path.find('.');
        return path.substr(first + 1, path.find('.', first + 1) - first - 1);
    };
    if (path.starts_with("nodes."))
        m_document->select({{engine::NodeId{middle()}}, {}});
    else if (path.starts_with("links."))
        m_document->select({{}, {engine::LinkId{middle()}}});
    else
        m_document->select({});
    m_inspectorDock->show();
    m_inspector->focusField(path);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_mayClose && !m_files->mayDiscard()) {
        event->ignore();
        return;
    }
    if (m_autosave)
        m_autosave->giveUp();        // saved, or not wanted
    setWorkspace(Workspace::Design); // so that the docks are saved as they stand there
    m_settings->setGeometry(saveGeometry());
    m_settings->setDockState(saveState(kLayoutVersion));
    event->accept();
    emit closed();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_context)
        adaptToSize();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_shown, true))
        return;
    if (m_settings->dockState().isEmpty())
        giveBottomItsHeight();
    if (isStartPageShown())
        m_start->newButton()->setFocus(Qt::OtherFocusReason);
    else
        m_canvas->setFocus(Qt::OtherFocusReason);
}

} // namespace heteroscape::widgets
