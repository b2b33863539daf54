// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/canvas/mini_map.h"
#include "widgets/glossary/glossary_dialog.h"
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
    const auto add = m_commands->in(tr("File"));
    add("file.new", tr("&New design"), QKeySequence::New, "file", [this] { m_files->newDesign(); });
    add("file.newWindow", tr("New &window"), Qt::CTRL | Qt::SHIFT | Qt::Key_N, "", [this] {
        m_manager->newWindow();
    })->setEnabled(m_manager);
    add("file.close", tr("&Close the window"), QKeySequence::Close, "", [this] { close(); });
    add("file.open", tr("&Open\u2026"), QKeySequence::Open, "folder", [this] { m_files->open(); });
    add("file.save", tr("&Save"), QKeySequence::Save, "save", [this] { m_files->save(); });
    add("file.saveAs", tr("Save &as\u2026"), Qt::CTRL | Qt::SHIFT | Qt::Key_S, "",
        [this] { m_files->saveAs(); });
    add("file.importModel", tr("Use a &model\u2019s config.json\u2026"), {}, "",
        [this] { m_files->importModel(); });
    add("file.export", tr("&Export\u2026"), Qt::CTRL | Qt::Key_E, "export", [this] { exportShown(); });
    add("file.report", tr("&Report\u2026"), {}, "book", [this] { makeReport(); });
    add("file.quit", tr("&Quit"), Qt::CTRL | Qt::Key_Q, "",
        [this] { m_manager ? m_manager->quit() : close(); });
}

void MainWindow::makeEditCommands() {
    const auto add = m_commands->in(tr("Edit"));
    auto* stack = m_document->undoStack();
    auto* undo = add("edit.undo", tr("Undo"), Qt::CTRL | Qt::Key_Z, "undo",
                     [this, stack] { goToStep(stack->index() - 1); });
    auto* redo = add("edit.redo", tr("Redo"), Qt::CTRL | Qt::SHIFT | Qt::Key_Z, "redo",
                     [this, stack] { goToStep(stack->index() + 1); });
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
    add("edit.history", tr("&History\u2026"), Qt::CTRL | Qt::Key_H, "clock", [this] { showHistory(); });
    add("edit.cut", tr("Cu&t"), QKeySequence::Cut, "", [this] { m_canvas->edits().cut(); });
    add("edit.copy", tr("&Copy"), QKeySequence::Copy, "", [this] { m_canvas->edits().copy(); });
    add("edit.paste", tr("Pa&ste"), QKeySequence::Paste, "", [this] { m_canvas->edits().paste(); });
    add("edit.delete", tr("&Delete"), Qt::Key_Delete, "trash", [this] { m_canvas->edits().remove(); });
    add("edit.duplicate", tr("D&uplicate"), Qt::CTRL | Qt::Key_D, "duplicate",
        [this] { m_canvas->edits().duplicate(); });
    add("edit.selectAll", tr("Select &all"), Qt::CTRL | Qt::Key_A, "",
        [this] { m_canvas->edits().selectAll(); });
    add("edit.note", tr("Add a &note"), Qt::Key_N, "note", [this] { m_canvas->notes().add(); });
    add("edit.pin", tr("&Pin as baseline"), Qt::Key_B, "pin", [this] { m_metrics->pinBaseline(); });
    add("edit.unpin", tr("Clear the pins"), Qt::SHIFT | Qt::Key_B, "",
        [this] { m_document->pins().clear(); });
}

void MainWindow::makeArrangeCommands() {
    const auto add = m_commands->in(tr("Arrange"));
    const auto keys = [](Qt::Key key) { return QKeySequence(Qt::ALT | Qt::SHIFT | key); };
    const std::tuple<const char*, Align, Qt::Key> alignments[] = {
        {"arrange.left", Align::Left, Qt::Key_Left},    {"arrange.centre", Align::Centre, Qt::Key_C},
        {"arrange.right", Align::Right, Qt::Key_Right}, {"arrange.top", Align::Top, Qt::Key_Up},
        {"arrange.middle", Align::Middle, Qt::Key_M},   {"arrange.bottom", Align::Bottom, Qt::Key_Down}};
    for (const auto& [id, how, key] : alignments)
        add(id, arrangeText(how), keys(key), "", [this, which = how] { m_canvas->arranger()->align(which); });
    add("arrange.across", arrangeText(Distribute::Horizontally), keys(Qt::Key_H), "",
        [this] { m_canvas->arranger()->distribute(Distribute::Horizontally); });
    add("arrange.down", arrangeText(Distribute::Vertically), keys(Qt::Key_V), "",
        [this] { m_canvas->arranger()->distribute(Distribute::Vertically); });
    add("arrange.layOut", tr("Lay out from left to right"), Qt::CTRL | Qt::Key_L, "",
        [this] { m_canvas->arranger()->layOut(LayoutDirection::LeftToRight); });
    add("arrange.layOutDown", tr("Lay out from top to bottom"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, "",
        [this] { m_canvas->arranger()->layOut(LayoutDirection::TopDown); });
}

void MainWindow::makeViewCommands() {
    const auto add = m_commands->in(tr("View"));
    const QString names[kWorkspaceCount] = {tr("&Design"), tr("&Explore"), tr("&Roofline"), tr("&Compare")};
    const char* const icons[kWorkspaceCount] = {"design", "explore", "roofline", "compare"};
    for (int i = 0; i < kWorkspaceCount; ++i)
        add(QStringLiteral("view.workspace%1").arg(i + 1), names[i],
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), icons[i],
            [this, i] { setWorkspace(static_cast<Workspace>(i)); });
    for (auto* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        auto* show = add(QStringLiteral("view.") + dock->objectName(), dock->windowTitle(), {}, "", {});
        show->setCheckable(true);
        show->setChecked(true);
        connect(show, &QAction::toggled, this, &MainWindow::applyDocks);
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock, show] {
            if (m_workspace == Workspace::Design && !isStartPageShown() && isVisible() &&
                dock->isHidden()) // closed by its own button
                show->setChecked(false);
        });
        if (dock->features().testFlag(QDockWidget::DockWidgetFloatable))
            add(QStringLiteral("view.float.") + dock->objectName(),
                tr("Float or dock the %1").arg(dock->windowTitle().toLower()), {}, "",
                [dock] { dock->setFloating(!dock->isFloating()); });
    }
    const auto showPage = [this](BottomDock::Page page) {
        setWorkspace(Workspace::Design);
        m_commands->action(QStringLiteral("view.BottomDock"))->setChecked(true);
        m_bottom->showPage(page);
    };
    add("view.timeline", tr("Show the &timeline"), Qt::CTRL | Qt::Key_T, "timeline",
        [showPage] { showPage(BottomDock::Page::Timeline); });
    add("view.requests", tr("Show the re&quests"), {}, "play",
        [showPage] { showPage(BottomDock::Page::Requests); });
    add("view.latency", tr("Show the &latency of requests"), {}, "clock",
        [showPage] { showPage(BottomDock::Page::Latency); });
    add("view.messages", tr("Show the &messages"), {}, "table",
        [showPage] { showPage(BottomDock::Page::Messages); });
    add("view.zoomIn", tr("Zoom &in"), Qt::CTRL | Qt::Key_Plus, "plus",
        [this] { m_canvas->camera().zoomIn(); });
    add("view.zoomOut", tr("Zoom &out"), Qt::CTRL | Qt::Key_Minus, "minus",
        [this] { m_canvas->camera().zoomOut(); });
    add("view.zoom100", tr("&100 %"), Qt::CTRL | Qt::Key_0, "", [this] { m_canvas->camera().setZoom(1.0); });
    add("view.fit", tr("&Fit the system"), Qt::Key_F, "fit", [this] { m_canvas->camera().fitAll(); });
    add("view.fitSelection", tr("Fit the &selection"), Qt::SHIFT | Qt::Key_F, "",
        [this] { m_canvas->camera().fitSelection(); });
    const auto toggle = [&](const char* id, const QString& text, bool on, auto changed) {
        auto* action = add(id, text, {}, "", {});
        action->setCheckable(true);
        action->setChecked(on);
        changed(on);
        connect(action, &QAction::toggled, this, changed);
    };
    toggle("view.snap", tr("S&nap to grid"), m_settings->snapsToGrid(), [this](bool on) {
        m_settings->setSnapsToGrid(on);
        m_canvas->placing().setSnaps(on);
    });
    toggle("view.miniMap", tr("&Mini-map"), m_settings->showsMiniMap(), [this](bool on) {
        m_settings->setShowsMiniMap(on);
        m_canvas->miniMap()->setShown(on);
    });
    add("view.theme", tr("Switch between light and dark"), {}, "",
        [this] { setThemeMode(Theme::instance().isDark() ? ThemeMode::Light : ThemeMode::Dark); });
    auto* modes = new QActionGroup(this);
    const std::pair<ThemeMode, QString> entries[] = {{ThemeMode::System, tr("Theme of the &system")},
                                                     {ThemeMode::Light, tr("&Light theme")},
                                                     {ThemeMode::Dark, tr("Da&rk theme")}};
    for (const auto& [mode, text] : entries) {
        auto* action = add(QStringLiteral("view.theme%1").arg(static_cast<int>(mode)), text, {}, "",
                           [this, which = mode] { setThemeMode(which); });
        action->setCheckable(true);
        modes->addAction(action);
    }
    add("view.reset", tr("Reset the layout"), {}, "", [this] { resetLayout(); });
}

void MainWindow::makeHelpCommands() {
    const auto add = m_commands->in(tr("Help"));
    add("help.start", tr("S&tart page"), {}, "logo", [this] { showStartPage(); });
    add("help.commands", tr("&Search or run a command\u2026"), Qt::CTRL | Qt::Key_K, "search",
        [this] { openCommandPalette(); });
    add("help.shortcuts", tr("&Keyboard shortcuts"), Qt::Key_F1, "help",
        [this] { showShortcuts(*m_commands, this); });
    add("help.glossary", tr("&Glossary"), {}, "book", [this] { showGlossary(this); });
    add("help.whats_this", tr("&What is this?"), Qt::SHIFT | Qt::Key_F1, "help", [] { tellWhatThisIs(); });
    add("help.about", tr("&About Heteroscape"), {}, "info", [this] { showAbout(this); });
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
    add(bar->addMenu(tr("&Help")),
        {"help.start", "help.commands", "help.shortcuts", "help.glossary", "help.whats_this", "help.about"});
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
