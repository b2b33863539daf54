// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_search.h"

#include "widgets/document/document.h"
#include "widgets/glossary/glossary_dialog.h"
#include "widgets/settings/settings.h"
#include "widgets/window/command_entries.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/part_use.h"
#include "widgets/window/study_flow.h"
#include "widgets/window/window_pieces.h"
#include "widgets/window/workspaces.h"

#include <QFileInfo>
#include <QMainWindow>

#include <iterator>
#include <utility>

namespace heteroscape::widgets {

CommandPalette* openCommandSearch(const WindowPieces& window) {
    std::vector<CommandPalette::Entry> entries;
    for (const auto& command : window.commands->commands())
        if (command.action->isEnabled() && command.id != QStringLiteral("help.commands"))
            entries.push_back({command.action->text().remove(QLatin1Char('&')), command.group,
                               command.action->shortcut().toString(QKeySequence::NativeText),
                               [action = command.action] { action->trigger(); },
                               QStringLiteral("action/") + command.id});
    window.partUse->addEntries(entries);
    const auto take = [&entries](std::vector<CommandPalette::Entry> more) {
        std::move(more.begin(), more.end(), std::back_inserter(entries));
    };
    take(metricEntries(*window.document, [&window](engine::Metric metric) {
        window.workspaces->show(Workspace::Design);
        window.metrics->explain(metric);
    }));
    take(otherDeviceEntries(*window.document, [&window](const QString& name, const engine::Scenario& design) {
        window.studies->compareWith(name, design);
    }));
    take(parameterEntries(*window.document,
                          [&window](const std::string& path) { showQuantity(window, path); }));
    take(termEntries([&window](const QString& term) { showGlossary(window.widget, term); }));
    for (const auto& path : window.settings->recentFiles())
        entries.push_back({QObject::tr("Open %1").arg(QFileInfo(path).fileName()),
                           QObject::tr("Recent file"),
                           {},
                           [&window, path] { window.files->openPath(path); },
                           QStringLiteral("file/") + path});
    auto* palette = new CommandPalette(std::move(entries), window.settings->recentCommands(), window.widget);
    QObject::connect(palette, &CommandPalette::ran, window.widget,
                     [&window](const QString& key) { window.settings->addRecentCommand(key); });
    palette->open();
    return palette;
}

} // namespace heteroscape::widgets
