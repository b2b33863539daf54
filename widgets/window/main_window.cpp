// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/source_forms.h"
#include "widgets/find/find_page.h"
#include "widgets/glossary/glossary.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/inspector/inspector.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/parts/part_library.h"
#include "widgets/parts/parts_flow.h"
#include "widgets/results/load_panel.h"
#include "widgets/roofline/roofline_workspace.h"
#include "widgets/start/start_page.h"
#include "widgets/start/what_to_buy.h"
#include "widgets/theme/layouts.h"
#include "widgets/window/application.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/file_drops.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/messages_panel.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/part_use.h"
#include "widgets/window/status_line.h"
#include "widgets/window/step_history.h"
#include "widgets/window/study_flow.h"
#include "widgets/window/tour.h"
#include "widgets/window/window_commands.h"
#include "widgets/window/window_exports.h"
#include "widgets/window/window_manager.h"
#include "widgets/window/window_pieces.h"

#include <QAction>
#include <QBackingStore>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoStack>

#include <utility>

namespace heteroscape::widgets {

namespace {

/// With settings of its own, a window neither reads nor changes the user's parts.
QString libraryBeside(const QString& settingsFile) {
    return QFileInfo(settingsFile).absoluteDir().filePath(QStringLiteral("library"));
}

/// The memory of a window's picture is taken before the window is on the screen, not by its first painting:
/// the system hands out page by page what is touched for the first time, which takes longer than the
/// painting.
void takeRoomForPicture(QWidget& window) {
    auto* store = window.backingStore();
    if (!store)
        return;
    const QRect all(QPoint(), window.size());
    store->resize(all.size());
    store->beginPaint(all);
    if (auto* picture = store->paintDevice())
        QPainter(picture).fillRect(all, window.palette().window());
    store->endPaint();
    window.update(); // a store of the right size counts as painted
}

} // namespace

MainWindow::MainWindow(std::shared_ptr<const engine::Catalog> catalog, const Options& options)
    : m_settings(options.settingsFile.isEmpty() ? std::make_unique<Settings>()
                                                : std::make_unique<Settings>(options.settingsFile)) {
    m_window.widget = this;
    m_window.settings = m_settings.get();
    m_window.manager = options.manager;
    m_window.shipped = std::move(catalog);
    m_window.library = options.library ? options.library
                       : options.settingsFile.isEmpty()
                           ? PartLibrary::shared()
                           : new PartLibrary(libraryBeside(options.settingsFile), this);
    setObjectName(QStringLiteral("MainWindow"));
    setMinimumSize(leastWindowSize(screen()->availableSize()));
    resize(1440, 900);
    if (!m_window.manager || m_window.manager->windows().empty()) // later windows look as the others do
        Theme::instance().setMode(m_settings->themeMode());
    m_window.stack = new QStackedWidget(this);
    setCentralWidget(m_window.stack);
    auto* design = new QWidget(m_window.stack);
    makePieces(design, options.storePath);
    makeControllers(design);
    makeHead();
    wire();
    makeAutosave(options.recovery);
    WheelGuard::install();
    installGuideKey();
    m_window.docks->restore();
    m_window.docks->adaptToSize();
    showTitle();
    m_window.commandSet->refresh();
}

MainWindow::~MainWindow() {
    delete m_autosave; // while there is a document to ask
    m_autosave = nullptr;
    // Docks and workspaces listen to the document and its simulation; these must not speak while they go. Nor
    // must the docks, which hide before they go.
    m_window.document->disconnect();
    m_window.document->undoStack()->disconnect();
    m_window.simulation->disconnect();
    for (auto* dock : findChildren<QDockWidget*>()) {
        dock->disconnect(m_window.docks);
        dock->disconnect(m_window.commandSet);
    }
}

void MainWindow::makePieces(QWidget* design, const QString& storePath) {
    auto& w = m_window;
    w.document = new Document(w.library->over(w.shipped), this);
    w.simulation = simulationOf(w.document);
    w.commands = new CommandRegistry(this);
    w.files = new FileFlow(w.document, w.settings, this);
    w.parts = new PartsFlow(w.document, w.library, this);
    w.metrics = new MetricsStrip(w.document, w.settings, design);
    w.banner = new InfoBanner(w.document, design);
    w.canvas = new CanvasView(*w.document, design);
    auto* column = makeColumn(design);
    column->addWidget(w.metrics);
    column->addWidget(w.canvas, 1);
    floatOver(w.banner, w.canvas, Qt::TopEdge, 8, QWIDGETSIZE_MAX);
    w.explore = new ExploreWorkspace(w.document, storePath, w.stack);
    w.find =
        new FindPage(w.document, QFileInfo(storePath).absoluteDir().filePath(QStringLiteral("searches")));
    w.explore->pages()->addPage(tr("Find"), w.find, w.find->tools());
    w.compare = new CompareWorkspace(w.document->sharedCatalog(), w.stack);
    w.compare->setDocument(w.document);
    w.palette = new PalettePanel(w.document, w.settings, w.library, this);
    w.inspector = new Inspector(w.document, this);
    w.bottom = new BottomDock(w.document, w.simulation, this);
    w.status = new StatusLine(w.document, this);
    setStatusBar(w.status);
}

void MainWindow::makeControllers(QWidget* design) {
    auto& w = m_window;
    // Pages in the order of Workspace.
    w.workspaces =
        new Workspaces(w, {design, w.explore, new RooflineWorkspace(w.document, w.stack), w.compare});
    w.start = new StartFlow(w, w.workspaces->startPage());
    w.docks = new DockLayout(w);
    w.steps = new StepHistory(w);
    w.partUse = new PartUse(w);
    w.studies = new StudyFlow(w);
    w.exports = new WindowExports(w);
    w.commandSet = new WindowCommands(w);
    new FileDrops(w);
    w.tour = new Tour(w);
    const std::pair<QWidget*, const char*> pages[] = {
        {w.canvas, "canvas.md"},
        {w.palette, "canvas.md"},
        {w.inspector, "canvas.md"},
        {w.bottom->messages(), "canvas.md"},
        {w.bottom->load(), "load.md"},
        {w.bottom, "load.md"}, // requests and their latencies; the timeline has a term of its own
        {w.explore, "explore.md"},
        {w.workspaces->widget(Workspace::Roofline), "roofline.md"},
        {w.compare, "compare.md"},
        {w.start->page(), "first-design.md"}};
    for (const auto& [widget, page] : pages)
        setTerm(widget, page);
}

void MainWindow::makeHead() {
    auto* bulb = new QToolButton(m_window.status);
    bulb->setDefaultAction(m_window.commands->action(QStringLiteral("study.hints")));
    m_window.status->addPermanentWidget(bulb);
    m_window.top = new TopBar(*m_window.commands, this);
    m_window.context = new ContextBar(m_window.document, this);
    auto* head = new QWidget(this);
    auto* column = makeColumn(head);
    column->addWidget(m_window.top);
    column->addWidget(m_window.context);
    setMenuWidget(head);
    m_window.commandSet->makeMenus();
}

void MainWindow::makeAutosave(std::shared_ptr<RecoveryStore> store) {
    if (!store)
        return;
    m_autosave = new Autosave(m_window.document, std::move(store), this);
    connect(m_autosave, &Autosave::failed, this, [this](const QString& reason) {
        m_window.status->showMessage(
            tr("Changes cannot be kept for recovery: %1 Save the design yourself.").arg(reason),
            2 * StatusLine::kRefusedMs);
    });
}

void MainWindow::wire() {
    m_window.partUse->wire();
    connect(m_window.palette, &PalettePanel::expandRequested, this, [this] {
        m_window.docks->setPaletteRail(false);
        m_window.palette->focusSearch();
    });
    connect(m_window.top, &TopBar::workspaceChosen, m_window.workspaces, &Workspaces::show);
    connect(m_window.context, &ContextBar::presetRequested, m_window.files, &FileFlow::openPreset);
    connect(m_window.context, &ContextBar::messageChanged, m_window.status, [this](const QString& message) {
        message.isEmpty() ? m_window.status->clearMessage() : m_window.status->showMessage(message);
    });
    const auto show = [this](const std::string& path) { showQuantity(m_window, path); };
    connect(m_window.metrics, &MetricsStrip::quantityRequested, this, show);
    connect(m_window.metrics, &MetricsStrip::simulationRequested, this,
            [this] { m_window.bottom->showPage(BottomDock::Page::Latency); });
    connect(m_window.context, &ContextBar::quantityRequested, this, show);
    connect(m_window.explore, &ExploreWorkspace::quantityRequested, this, show);
    connect(m_window.bottom->messages(), &MessagesPanel::quantityRequested, this, show);
    connect(m_window.inspector, &Inspector::sweepRequested, m_window.studies, &StudyFlow::sweep);
    auto* tabDrop = new TabDrop(m_window.top->tabs(), static_cast<int>(Workspace::Explore));
    tabDrop->setReader([this](const QMimeData& dragged) {
        return decodeProperty(dragged, m_window.document->scenario(), m_window.document->catalog())
            .value_or(std::string());
    });
    connect(tabDrop, &TabDrop::propertyDropped, m_window.studies, &StudyFlow::sweep);
    connect(m_window.canvas, &CanvasView::openPresetRequested, m_window.context, &ContextBar::showPresets);
    connect(m_window.canvas, &CanvasView::findPartRequested,
            m_window.commands->action(QStringLiteral("part.find")), &QAction::trigger);
    connect(&m_window.canvas->placing(), &Placing::presetDropped, m_window.files,
            [this](const QString& id) { m_window.files->openPreset(id.toStdString()); });
    connect(&m_window.canvas->cards(), &CardActions::techniqueShown, this, [this](const std::string& id) {
        m_window.docks->showInspector();
        m_window.inspector->focusField("techniques." + id + ".enabled");
        m_window.canvas->setFocus(Qt::OtherFocusReason); // where keys still mean what was clicked
    });
    connect(m_window.files, &FileFlow::settling, &m_window.canvas->notes(), &CanvasNotes::finish);
    connect(m_window.canvas, &CanvasView::message, m_window.status,
            [this](const QString& message) { m_window.status->showMessage(message, 6000); });
    connect(m_window.explore, &ExploreWorkspace::designOpened, this,
            [this] { setWorkspace(Workspace::Design); });
    connect(m_window.find, &FindPage::designOpened, this, [this] { setWorkspace(Workspace::Design); });
    connect(m_window.find, &FindPage::compareRequested, m_window.studies, &StudyFlow::compareWith);
    connect(m_window.compare, &CompareWorkspace::openScenarioRequested, this, [this](const QString& id) {
        if (m_window.files->openPreset(id.toStdString()))
            setWorkspace(Workspace::Design);
    });
    const auto openDesign = [this](const engine::Scenario& scenario, const QString& name) {
        if (!m_window.files->openDesign(scenario, name))
            return;
        setWorkspace(Workspace::Design);
        m_window.canvas->camera().fitAll();
    };
    connect(m_window.compare, &CompareWorkspace::openDesignRequested, this, openDesign);
    connect(m_window.bottom, &BottomDock::publishedRunRequested, this, [this](std::size_t line) {
        m_window.compare->showServedRun(line);
        setWorkspace(Workspace::Compare);
    });
    auto* buying = m_window.start->page()->buying();
    connect(buying, &WhatToBuy::designRequested, this, openDesign);
    connect(buying, &WhatToBuy::compareRequested, m_window.studies, &StudyFlow::compareWith);
    connect(buying, &WhatToBuy::studyRequested, this, [this](const engine::Study& study) {
        setWorkspace(Workspace::Explore);
        auto* forms = m_window.explore->forms();
        forms->await(forms->of(study));
        m_window.explore->start(study);
    });
    connect(m_window.document, &Document::catalogChanged, buying,
            [this, buying] { buying->setCatalog(m_window.document->sharedCatalog()); });
    connect(m_window.document, &Document::titleChanged, this, &MainWindow::showTitle);
    auto* given = m_window.commandSet;
    connect(m_window.workspaces, &Workspaces::changed, m_window.docks, &DockLayout::apply);
    connect(m_window.workspaces, &Workspaces::changed, given, &WindowCommands::refresh);
    connect(m_window.document, &Document::changed, given, &WindowCommands::refresh);
    connect(m_window.document, &Document::evaluated, given, &WindowCommands::refresh);
    connect(m_window.document, &Document::selectionChanged, given, &WindowCommands::refresh);
    connect(&m_window.document->pins(), &Pins::changed, given, &WindowCommands::refresh);
    connect(&Theme::instance(), &Theme::changed, given, &WindowCommands::refresh);
}

Workspace MainWindow::workspace() const {
    return m_window.workspaces->current();
}

void MainWindow::setWorkspace(Workspace workspace) {
    m_window.workspaces->show(workspace);
}

bool MainWindow::isBusy() const {
    return m_window.workspaces->isBusy();
}

void MainWindow::showStartPage() {
    m_window.start->show();
}

void MainWindow::leaveStartPage() {
    m_window.workspaces->leaveStart();
}

void MainWindow::offerTour() {
    m_window.tour->offer();
}

bool MainWindow::isStartPageShown() const {
    return m_window.workspaces->isStartShown();
}

void MainWindow::openFile(const QString& path) {
    m_window.document->openFile(path);
    m_window.files->remember();
    leaveStartPage();
}

bool MainWindow::openStudy(const std::string& id) {
    return m_window.studies->open(id);
}

CommandPalette* MainWindow::openCommandPalette() {
    return openCommandSearch(m_window);
}

void MainWindow::showTitle() {
    setWindowTitle(tr("%1[*] \u2013 Heteroscape").arg(m_window.document->title()));
    setWindowModified(m_window.document->isModified());
    setWindowFilePath(m_window.document->path());
}

void MainWindow::closeWithoutAsking() {
    m_mayClose = true;
    close();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_mayClose && !m_window.files->mayDiscard()) {
        event->ignore();
        return;
    }
    if (m_autosave)
        m_autosave->giveUp();        // saved, or not wanted
    setWorkspace(Workspace::Design); // so that the docks are kept as they stand there
    m_window.docks->keep();
    event->accept();
    emit closed();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_window.context)
        m_window.docks->adaptToSize();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_shown, true))
        return;
    m_window.docks->showFirst();
    takeRoomForPicture(*this);
    if (isStartPageShown())
        m_window.start->page()->newButton()->setFocus(Qt::OtherFocusReason);
    else
        m_window.canvas->setFocus(Qt::OtherFocusReason);
}

} // namespace heteroscape::widgets

#include "moc_main_window.cpp"
