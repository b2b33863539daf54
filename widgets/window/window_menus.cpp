// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_commands.h"

#include "widgets/document/document.h"
#include "widgets/document/truth_text.h"
#include "widgets/settings/settings.h"
#include "widgets/theme/plain_text.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

// What the menus hold, and which commands can be given.

namespace heteroscape::widgets {

void WindowCommands::makeMenus() {
    const auto add = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const auto* id : ids)
            if (id)
                menu->addAction(m_window.commands->action(QString::fromLatin1(id)));
            else
                menu->addSeparator();
    };
    auto* bar = m_window.top->menuBar();
    auto* file = bar->addMenu(tr("&File"));
    add(file, {"file.new", "file.newWindow", "file.open"});
    auto* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    m_window.context->fillPresetMenu(file->addMenu(tr("Open &preset")));
    add(file, {"file.importModel", "part.pasteModel", "file.pasteLaunch", nullptr, "file.save", "file.saveAs",
               nullptr, "file.export", "file.report", nullptr, "help.start", "file.close", "file.quit"});
    auto* edit = bar->addMenu(tr("&Edit"));
    add(edit, {"edit.undo", "edit.redo", "edit.history", nullptr, "edit.cut", "edit.copy", "edit.paste",
               "edit.duplicate", "edit.delete", "edit.selectAll", nullptr, "edit.copyPython",
               "edit.copyCommand", "edit.copyLaunch", nullptr, "edit.note"});
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
    for (const auto& command : m_window.commands->commands())
        if (command.id.endsWith(QStringLiteral("Dock")))
            view->addAction(command.action);
    add(view, {"view.timeline", "view.latency", "view.load", "view.messages", "view.reset", nullptr,
               "view.zoomIn", "view.zoomOut", "view.zoom100", "view.fit", "view.fitSelection", nullptr,
               "view.snap", "view.miniMap", nullptr, "view.theme0", "view.theme1", "view.theme2"});
    auto* study = bar->addMenu(tr("&Study"));
    for (const auto& command : m_window.commands->commands())
        if (command.id.startsWith(QStringLiteral("study.")))
            study->addAction(command.action);
    study->addSeparator();
    auto* figures = study->addMenu(tr("&Figures"));
    QMenu* paper = nullptr; // figures of a paper follow each other
    for (const auto& command : m_window.commands->commands()) {
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
        {"help.guide", "help.here", "help.whats_this", nullptr, "help.start", "help.tour", nullptr,
         "help.commands", "help.shortcuts", nullptr, "help.about"});
}

void WindowCommands::fillBaselineMenu(QMenu* menu) {
    menu->clear();
    auto& pins = m_window.document->pins();
    const auto add = [&](const QString& text, std::optional<std::size_t> which) {
        auto* action = menu->addAction(text, this, [&pins, which] { pins.setBaseline(which); });
        action->setCheckable(true);
        action->setChecked(pins.baselineIndex() == which);
    };
    add(tr("Nothing"), std::nullopt);
    for (std::size_t i = 0; i < pins.all().size(); ++i)
        add(pinLabel(pins.all()[i]).replace(u'&', QStringLiteral("&&")), i);
}

void WindowCommands::fillRecentMenu(QMenu* menu) {
    menu->clear();
    for (const auto& path : m_window.settings->recentFiles()) {
        auto* action = menu->addAction(QFileInfo(path).fileName());
        action->setToolTip(plainTip(path));
        connect(action, &QAction::triggered, this, [this, path] { m_window.files->openPath(path); });
    }
    menu->setToolTipsVisible(true);
    if (menu->isEmpty())
        menu->addAction(tr("No files yet"))->setEnabled(false);
}

void WindowCommands::refresh() {
    const bool design = m_window.workspaces->isDesignShown();
    const auto enable = [this](const char* id, bool on) {
        if (auto* action = m_window.commands->action(QString::fromLatin1(id)))
            action->setEnabled(on);
    };
    const auto& selection = m_window.document->selection();
    enable("edit.delete", design && !selection.empty());
    const bool copies = !selection.nodes.empty() || !selection.notes.empty();
    for (const auto* id : {"edit.duplicate", "edit.cut", "edit.copy"})
        enable(id, design && copies);
    enable("edit.note", design);
    enable("edit.paste", design);
    for (const auto& command : m_window.commands->commands())
        if (command.id.startsWith(QStringLiteral("arrange.")))
            command.action->setEnabled(design && selection.nodes.size() >= 2);
    for (const auto* id : {"arrange.across", "arrange.down"})
        enable(id, design && selection.nodes.size() >= 3);
    for (const auto* id : {"arrange.layOut", "arrange.layOutDown"}) // of all when few are selected
        enable(id, design && m_window.document->scenario().nodes.size() >= 2);
    enable("view.snap", design);
    enable("view.miniMap", design);
    enable("part.ofNode", design && selection.nodes.size() == 1);
    enable("part.find", design);
    enable("edit.selectAll", design && (!m_window.document->scenario().nodes.empty() ||
                                        !m_window.document->scenario().notes.empty()));
    enable("edit.pin", design && m_window.document->evaluation().feasible);
    enable("edit.unpin", design && !m_window.document->pins().all().empty());
    for (const auto* id : {"view.zoomIn", "view.zoomOut", "view.zoom100", "view.fit"})
        enable(id, design);
    enable("view.fitSelection", design && !selection.nodes.empty());
    for (const auto& command : m_window.commands->commands())
        if (command.id.endsWith(QStringLiteral("Dock")) && command.id.startsWith(QStringLiteral("view.")))
            command.action->setEnabled(design);
    auto& theme = Theme::instance();
    auto* toggle = m_window.commands->action(QStringLiteral("view.theme"));
    toggle->setIcon(theme.icon(theme.isDark() ? QStringLiteral("sun") : QStringLiteral("moon")));
    toggle->setToolTip(plainTip(theme.isDark() ? tr("Light theme") : tr("Dark theme")));
    m_window.commands->action(QStringLiteral("view.theme%1").arg(static_cast<int>(theme.mode())))
        ->setChecked(true);
}

} // namespace heteroscape::widgets
