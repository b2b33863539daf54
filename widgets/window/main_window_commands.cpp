// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/inspector/inspector.h"
#include "widgets/theme/plain_text.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/help_dialogs.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/window_manager.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

#include <tuple>

namespace heteroscape::widgets {

void MainWindow::makeCommands() {
    makeFileCommands();
    makeEditCommands();
    makeArrangeCommands();
    makePartCommands();
    makeViewCommands();
    makeStudyCommands();
    makeHelpCommands();
}

void MainWindow::makeFileCommands() {
    const auto group = tr("File");
    m_commands->add(
        QStringLiteral("file.new"), group, tr("&New design"), QKeySequence::New,
        [this] { m_files->newDesign(); }, QStringLiteral("file"));
    m_commands
        ->add(QStringLiteral("file.newWindow"), group, tr("New &window"),
              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), [this] { m_manager->newWindow(); })
        ->setEnabled(m_manager);
    m_commands->add(QStringLiteral("file.close"), group, tr("&Close the window"), QKeySequence::Close,
                    [this] { close(); });
    m_commands->add(
        QStringLiteral("file.open"), group, tr("&Open\u2026"), QKeySequence::Open,
        [this] { m_files->open(); }, QStringLiteral("folder"));
    m_commands->add(
        QStringLiteral("file.save"), group, tr("&Save"), QKeySequence::Save, [this] { m_files->save(); },
        QStringLiteral("save"));
    m_commands->add(QStringLiteral("file.saveAs"), group, tr("Save &as\u2026"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { m_files->saveAs(); });
    m_commands->add(QStringLiteral("file.importModel"), group, tr("Use a &model\u2019s config.json\u2026"),
                    {}, [this] { m_files->importModel(); });
    m_commands->add(
        QStringLiteral("file.export"), group, tr("&Export\u2026"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [this] { exportShown(); }, QStringLiteral("export"));
    m_commands->add(
        QStringLiteral("file.report"), group, tr("&Report\u2026"), {}, [this] { makeReport(); },
        QStringLiteral("book"));
    m_commands->add(QStringLiteral("file.quit"), group, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q),
                    [this] { m_manager ? m_manager->quit() : close(); });
}

void MainWindow::makeEditCommands() {
    const auto group = tr("Edit");
    auto* stack = m_document->undoStack();
    auto* undo = m_commands->add(
        QStringLiteral("edit.undo"), group, tr("Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z),
        [this, stack] { goToStep(stack->index() - 1); }, QStringLiteral("undo"));
    auto* redo = m_commands->add(
        QStringLiteral("edit.redo"), group, tr("Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        [this, stack] { goToStep(stack->index() + 1); }, QStringLiteral("redo"));
    undo->setEnabled(stack->canUndo());
    redo->setEnabled(stack->canRedo());
    connect(stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    const auto name = [](QAction* action, const QString& verb, QString step) {
        action->setText(step.isEmpty() ? verb
                                       : verb + QLatin1Char(' ') + step.replace(u'&', QStringLiteral("&&")));
    };
    connect(stack, &QUndoStack::undoTextChanged, undo,
            [undo, name](const QString& step) { name(undo, tr("Undo"), step); });
    connect(stack, &QUndoStack::redoTextChanged, redo,
            [redo, name](const QString& step) { name(redo, tr("Redo"), step); });
    m_commands->add(
        QStringLiteral("edit.history"), group, tr("&History\u2026"), QKeySequence(Qt::CTRL | Qt::Key_H),
        [this] { showHistory(); }, QStringLiteral("clock"));
    m_commands->add(QStringLiteral("edit.cut"), group, tr("Cu&t"), QKeySequence::Cut,
                    [this] { m_canvas->cutSelection(); });
    m_commands->add(QStringLiteral("edit.copy"), group, tr("&Copy"), QKeySequence::Copy,
                    [this] { m_canvas->copySelection(); });
    m_commands->add(QStringLiteral("edit.paste"), group, tr("Pa&ste"), QKeySequence::Paste,
                    [this] { m_canvas->paste(); });
    m_commands->add(
        QStringLiteral("edit.delete"), group, tr("&Delete"), QKeySequence(Qt::Key_Delete),
        [this] { m_canvas->deleteSelection(); }, QStringLiteral("trash"));
    m_commands->add(
        QStringLiteral("edit.duplicate"), group, tr("D&uplicate"), QKeySequence(Qt::CTRL | Qt::Key_D),
        [this] { m_canvas->duplicateSelection(); }, QStringLiteral("duplicate"));
    m_commands->add(QStringLiteral("edit.selectAll"), group, tr("Select &all"),
                    QKeySequence(Qt::CTRL | Qt::Key_A), [this] { m_canvas->selectAll(); });
    m_commands->add(
        QStringLiteral("edit.note"), group, tr("Add a &note"), QKeySequence(Qt::Key_N),
        [this] { m_canvas->notes().add(); }, QStringLiteral("note"));
    m_commands->add(
        QStringLiteral("edit.pin"), group, tr("&Pin as baseline"), QKeySequence(Qt::Key_B),
        [this] { m_metrics->pinBaseline(); }, QStringLiteral("pin"));
    m_commands->add(QStringLiteral("edit.unpin"), group, tr("Clear the pins"),
                    QKeySequence(Qt::SHIFT | Qt::Key_B), [this] { m_document->pins().clear(); });
}

void MainWindow::makeArrangeCommands() {
    const auto group = tr("Arrange");
    const auto keys = [](Qt::Key key) { return QKeySequence(Qt::ALT | Qt::SHIFT | key); };
    const std::tuple<const char*, Align, Qt::Key> alignments[] = {
        {"arrange.left", Align::Left, Qt::Key_Left},    {"arrange.centre", Align::Centre, Qt::Key_C},
        {"arrange.right", Align::Right, Qt::Key_Right}, {"arrange.top", Align::Top, Qt::Key_Up},
        {"arrange.middle", Align::Middle, Qt::Key_M},   {"arrange.bottom", Align::Bottom, Qt::Key_Down}};
    for (const auto& [id, how, key] : alignments)
        m_commands->add(QString::fromLatin1(id), group, arrangeText(how), keys(key),
                        [this, which = how] { m_canvas->arranger()->align(which); });
    m_commands->add(QStringLiteral("arrange.across"), group, arrangeText(Distribute::Horizontally),
                    keys(Qt::Key_H), [this] { m_canvas->arranger()->distribute(Distribute::Horizontally); });
    m_commands->add(QStringLiteral("arrange.down"), group, arrangeText(Distribute::Vertically),
                    keys(Qt::Key_V), [this] { m_canvas->arranger()->distribute(Distribute::Vertically); });
    m_commands->add(QStringLiteral("arrange.layOut"), group, tr("Lay out from left to right"),
                    QKeySequence(Qt::CTRL | Qt::Key_L),
                    [this] { m_canvas->arranger()->layOut(LayoutDirection::LeftToRight); });
    m_commands->add(QStringLiteral("arrange.layOutDown"), group, tr("Lay out from top to bottom"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                    [this] { m_canvas->arranger()->layOut(LayoutDirection::TopDown); });
}

void MainWindow::makeViewCommands() {
    const auto group = tr("View");
    const QString names[kWorkspaceCount] = {tr("&Design"), tr("&Explore"), tr("&Roofline"), tr("&Compare")};
    const char* const icons[kWorkspaceCount] = {"design", "explore", "roofline", "compare"};
    for (int i = 0; i < kWorkspaceCount; ++i)
        m_commands->add(
            QStringLiteral("view.workspace%1").arg(i + 1), group, names[i],
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)),
            [this, i] { setWorkspace(static_cast<Workspace>(i)); }, QString::fromLatin1(icons[i]));
    for (auto* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        auto* show =
            m_commands->add(QStringLiteral("view.") + dock->objectName(), group, dock->windowTitle(), {}, {});
        show->setCheckable(true);
        show->setChecked(true);
        connect(show, &QAction::toggled, this, &MainWindow::applyDocks);
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock, show] {
            if (m_workspace == Workspace::Design && !isStartPageShown() && isVisible() &&
                dock->isHidden()) // closed by its own button
                show->setChecked(false);
        });
        if (dock->features().testFlag(QDockWidget::DockWidgetFloatable))
            m_commands->add(QStringLiteral("view.float.") + dock->objectName(), group,
                            tr("Float or dock the %1").arg(dock->windowTitle().toLower()), {},
                            [dock] { dock->setFloating(!dock->isFloating()); });
    }
    const auto showPage = [this](BottomDock::Page page) {
        setWorkspace(Workspace::Design);
        m_commands->action(QStringLiteral("view.BottomDock"))->setChecked(true);
        m_bottom->showPage(page);
    };
    m_commands->add(
        QStringLiteral("view.timeline"), group, tr("Show the &timeline"), QKeySequence(Qt::CTRL | Qt::Key_T),
        [showPage] { showPage(BottomDock::Page::Timeline); }, QStringLiteral("timeline"));
    m_commands->add(
        QStringLiteral("view.requests"), group, tr("Show the re&quests"), {},
        [showPage] { showPage(BottomDock::Page::Requests); }, QStringLiteral("play"));
    m_commands->add(
        QStringLiteral("view.latency"), group, tr("Show the &latency of requests"), {},
        [showPage] { showPage(BottomDock::Page::Latency); }, QStringLiteral("clock"));
    m_commands->add(
        QStringLiteral("view.messages"), group, tr("Show the &messages"), {},
        [showPage] { showPage(BottomDock::Page::Messages); }, QStringLiteral("table"));
    m_commands->add(
        QStringLiteral("view.zoomIn"), group, tr("Zoom &in"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
        [this] { m_canvas->zoomIn(); }, QStringLiteral("plus"));
    m_commands->add(
        QStringLiteral("view.zoomOut"), group, tr("Zoom &out"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
        [this] { m_canvas->zoomOut(); }, QStringLiteral("minus"));
    m_commands->add(QStringLiteral("view.zoom100"), group, tr("&100 %"), QKeySequence(Qt::CTRL | Qt::Key_0),
                    [this] { m_canvas->setZoom(1.0); });
    m_commands->add(
        QStringLiteral("view.fit"), group, tr("&Fit the system"), QKeySequence(Qt::Key_F),
        [this] { m_canvas->fitAll(); }, QStringLiteral("fit"));
    m_commands->add(QStringLiteral("view.fitSelection"), group, tr("Fit the &selection"),
                    QKeySequence(Qt::SHIFT | Qt::Key_F), [this] { m_canvas->fitSelection(); });
    const auto toggle = [&](const char* id, const QString& text, bool on, auto changed) {
        auto* action = m_commands->add(QString::fromLatin1(id), group, text, {}, {});
        action->setCheckable(true);
        action->setChecked(on);
        changed(on);
        connect(action, &QAction::toggled, this, changed);
    };
    toggle("view.snap", tr("S&nap to grid"), m_settings->snapsToGrid(), [this](bool on) {
        m_settings->setSnapsToGrid(on);
        m_canvas->setSnaps(on);
    });
    toggle("view.miniMap", tr("&Mini-map"), m_settings->showsMiniMap(), [this](bool on) {
        m_settings->setShowsMiniMap(on);
        m_canvas->setMiniMapShown(on);
    });
    m_commands->add(QStringLiteral("view.theme"), group, tr("Switch between light and dark"), {}, [this] {
        setThemeMode(Theme::instance().isDark() ? ThemeMode::Light : ThemeMode::Dark);
    });
    auto* modes = new QActionGroup(this);
    const std::pair<ThemeMode, QString> entries[] = {{ThemeMode::System, tr("Theme of the &system")},
                                                     {ThemeMode::Light, tr("&Light theme")},
                                                     {ThemeMode::Dark, tr("Da&rk theme")}};
    for (const auto& [mode, text] : entries) {
        auto* action = m_commands->add(QStringLiteral("view.theme%1").arg(static_cast<int>(mode)), group,
                                       text, {}, [this, which = mode] { setThemeMode(which); });
        action->setCheckable(true);
        modes->addAction(action);
    }
    m_commands->add(QStringLiteral("view.reset"), group, tr("Reset the layout"), {},
                    [this] { resetLayout(); });
}

void MainWindow::makeHelpCommands() {
    const auto group = tr("Help");
    m_commands->add(
        QStringLiteral("help.start"), group, tr("S&tart page"), {}, [this] { showStartPage(); },
        QStringLiteral("logo"));
    m_commands->add(
        QStringLiteral("help.commands"), group, tr("&Search or run a command\u2026"),
        QKeySequence(Qt::CTRL | Qt::Key_K), [this] { openCommandPalette(); }, QStringLiteral("search"));
    m_commands->add(
        QStringLiteral("help.shortcuts"), group, tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1),
        [this] { showShortcuts(*m_commands, this); }, QStringLiteral("help"));
    m_commands->add(
        QStringLiteral("help.about"), group, tr("&About Heteroscape"), {}, [this] { showAbout(this); },
        QStringLiteral("info"));
}

void MainWindow::makeMenus() {
    const auto add = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const auto* id : ids)
            if (id)
                menu->addAction(m_commands->action(QString::fromLatin1(id)));
            else
                menu->addSeparator();
    };
    auto* bar = m_top->menuBar();
    auto* file = bar->addMenu(tr("&File"));
    add(file, {"file.new", "file.newWindow", "file.open"});
    auto* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    m_context->fillPresetMenu(file->addMenu(tr("Open &preset")));
    add(file, {"file.importModel", "part.pasteModel", nullptr, "file.save", "file.saveAs", nullptr,
               "file.export", "file.report", nullptr, "help.start", "file.close", "file.quit"});
    auto* edit = bar->addMenu(tr("&Edit"));
    add(edit, {"edit.undo", "edit.redo", "edit.history", nullptr, "edit.cut", "edit.copy", "edit.paste",
               "edit.duplicate", "edit.delete", "edit.selectAll", nullptr, "edit.note"});
    add(edit->addMenu(tr("&Arrange")),
        {"arrange.left", "arrange.centre", "arrange.right", nullptr, "arrange.top", "arrange.middle",
         "arrange.bottom", nullptr, "arrange.across", "arrange.down", nullptr, "arrange.layOut",
         "arrange.layOutDown"});
    add(edit, {nullptr, "edit.pin"});
    auto* baseline = edit->addMenu(tr("&Read against"));
    connect(baseline, &QMenu::aboutToShow, this, [this, baseline] { fillBaselineMenu(baseline); });
    add(edit, {"edit.unpin"});
    add(bar->addMenu(tr("&Parts")),
        {"part.newDevice", "part.ofNode", "part.newWorkload", nullptr, "part.find"});
    auto* view = bar->addMenu(tr("&View"));
    add(view, {"view.workspace1", "view.workspace2", "view.workspace3", "view.workspace4", nullptr});
    for (const auto& command : m_commands->commands())
        if (command.id.endsWith(QStringLiteral("Dock")))
            view->addAction(command.action);
    add(view, {"view.timeline", "view.latency", "view.messages", "view.reset", nullptr, "view.zoomIn",
               "view.zoomOut", "view.zoom100", "view.fit", "view.fitSelection", nullptr, "view.snap",
               "view.miniMap", nullptr, "view.theme0", "view.theme1", "view.theme2"});
    auto* study = bar->addMenu(tr("&Study"));
    for (const auto& command : m_commands->commands())
        if (command.id.startsWith(QStringLiteral("study.")))
            study->addAction(command.action);
    study->addSeparator();
    auto* figures = study->addMenu(tr("&Figures"));
    QMenu* paper = nullptr; // figures of a paper follow each other
    for (const auto& command : m_commands->commands()) {
        if (!command.id.startsWith(QStringLiteral("figure.")))
            continue;
        if (!paper || paper->title() != command.group) {
            paper = figures->addMenu(command.group);
            paper->setToolTipsVisible(true);
        }
        paper->addAction(command.action);
    }
    figures->setEnabled(!figures->isEmpty());
    add(bar->addMenu(tr("&Help")), {"help.start", "help.commands", "help.shortcuts", "help.about"});
}

void MainWindow::fillBaselineMenu(QMenu* menu) {
    menu->clear();
    auto& pins = m_document->pins();
    const auto add = [&](const QString& text, std::optional<std::size_t> which) {
        auto* action = menu->addAction(text, this, [&pins, which] { pins.setBaseline(which); });
        action->setCheckable(true);
        action->setChecked(pins.baselineIndex() == which);
    };
    add(tr("Nothing"), std::nullopt);
    for (std::size_t i = 0; i < pins.all().size(); ++i)
        add(QString(pins.all()[i].name).replace(u'&', QStringLiteral("&&")), i);
}

void MainWindow::fillRecentMenu(QMenu* menu) {
    menu->clear();
    for (const auto& path : m_settings->recentFiles()) {
        auto* action = menu->addAction(QFileInfo(path).fileName());
        action->setToolTip(plainTip(path));
        connect(action, &QAction::triggered, this, [this, path] { m_files->openPath(path); });
    }
    menu->setToolTipsVisible(true);
    if (menu->isEmpty())
        menu->addAction(tr("No files yet"))->setEnabled(false);
}

void MainWindow::refreshCommands() {
    const bool design = m_workspace == Workspace::Design && !isStartPageShown();
    const auto enable = [this](const char* id, bool on) {
        if (auto* action = m_commands->action(QString::fromLatin1(id)))
            action->setEnabled(on);
    };
    const auto& selection = m_document->selection();
    enable("edit.delete", design && !selection.empty());
    const bool copies = !selection.nodes.empty() || !selection.notes.empty();
    for (const auto* id : {"edit.duplicate", "edit.cut", "edit.copy"})
        enable(id, design && copies);
    enable("edit.note", design);
    enable("edit.paste", design);
    for (const auto& command : m_commands->commands())
        if (command.id.startsWith(QStringLiteral("arrange.")))
            command.action->setEnabled(design && selection.nodes.size() >= 2);
    for (const auto* id : {"arrange.across", "arrange.down"})
        enable(id, design && selection.nodes.size() >= 3);
    for (const auto* id : {"arrange.layOut", "arrange.layOutDown"}) // of all when few are selected
        enable(id, design && m_document->scenario().nodes.size() >= 2);
    enable("view.snap", design);
    enable("view.miniMap", design);
    enable("part.ofNode", design && selection.nodes.size() == 1);
    enable("part.find", design);
    enable("edit.selectAll",
           design && (!m_document->scenario().nodes.empty() || !m_document->scenario().notes.empty()));
    enable("edit.pin", design && m_document->evaluation().feasible);
    enable("edit.unpin", design && !m_document->pins().all().empty());
    for (const auto* id : {"view.zoomIn", "view.zoomOut", "view.zoom100", "view.fit"})
        enable(id, design);
    enable("view.fitSelection", design && !selection.nodes.empty());
    for (const auto& command : m_commands->commands())
        if (command.id.endsWith(QStringLiteral("Dock")) && command.id.startsWith(QStringLiteral("view.")))
            command.action->setEnabled(design);
    auto& theme = Theme::instance();
    auto* toggle = m_commands->action(QStringLiteral("view.theme"));
    toggle->setIcon(theme.icon(theme.isDark() ? QStringLiteral("sun") : QStringLiteral("moon")));
    toggle->setToolTip(plainTip(theme.isDark() ? tr("Light theme") : tr("Dark theme")));
    m_commands->action(QStringLiteral("view.theme%1").arg(static_cast<int>(theme.mode())))->setChecked(true);
}

} // namespace heteroscape::widgets
