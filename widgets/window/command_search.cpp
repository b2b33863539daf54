// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_search.h"

#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/glossary/glossary_dialog.h"
#include "widgets/settings/settings.h"
#include "widgets/window/bottom_dock.h"
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

#include <cmath>
#include <iterator>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// How a metric comes about; where the design has none, what it lacks for it: messages of a design that
/// cannot run, else a quantity or a simulation (MetricsStrip::explain()), else what the metric is at all.
void explainMetric(const WindowPieces& window, engine::Metric metric) {
    const bool cannotRun =
        !window.document->evaluation().feasible && !window.document->scenario().nodes.empty();
    const bool hasNone = std::isnan(metricOf(*window.document, *window.simulation, metric));
    if (cannotRun && hasNone)
        window.bottom->showPage(BottomDock::Page::Messages);
    else if (hasNone && !engine::isSimulated(metric) && !missingQuantity(*window.document, metric)) {
        const auto* term = Glossary::instance().find(engine::metricSpec(metric).key);
        showGlossary(window.widget, term ? term->term : QString());
    } else
        window.metrics->explain(metric);
}

} // namespace

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
    take(metricEntries(*window.document, *window.simulation, [&window](engine::Metric metric) {
        window.workspaces->show(Workspace::Design);
        explainMetric(window, metric);
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
