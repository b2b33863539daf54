// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/glossary/glossary_dialog.h"
#include "widgets/inspector/inspector.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/parts/device_editor.h"
#include "widgets/parts/part_words.h"
#include "widgets/parts/parts_flow.h"
#include "widgets/parts/workload_editor.h"
#include "widgets/window/command_entries.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"

#include <QDockWidget>
#include <QFileInfo>

namespace heteroscape::widgets {

namespace {

constexpr int kMessageTime = 6000; ///< ms

} // namespace

void MainWindow::makePartCommands() {
    const auto add = m_commands->in(tr("Parts"));
    add("part.newDevice", tr("New &device\u2026"), {}, "plus", [this] { m_parts->newDevice(); });
    add("part.ofNode", tr("&Save the node as own device\u2026"), {}, "", [this] {
        const auto& nodes = m_document->selection().nodes;
        if (nodes.size() == 1)
            m_parts->deviceOfNode(nodes.front());
    });
    add("part.newWorkload", tr("New &workload\u2026"), {}, "", [this] { m_parts->newWorkload(); });
    add("part.pasteModel", tr("&Paste a config.json"), {}, "", [this] { m_parts->pasteModel(); });
    add("part.find", tr("&Find a part"), Qt::CTRL | Qt::Key_P, "search", [this] {
        m_paletteDock->show();
        setPaletteRail(false);
        m_palette->focusSearch();
    });
}

void MainWindow::wireParts() {
    std::vector<PresetEntry> presets;
    for (const auto& preset : m_context->presets())
        presets.push_back({QString::fromStdString(preset.id), QString::fromStdString(preset.name),
                           QString::fromStdString(preset.about)});
    m_palette->setPresets(std::move(presets));
    connect(m_palette, &PalettePanel::useRequested, this, &MainWindow::usePart);
    connect(m_palette, &PalettePanel::newDeviceRequested, m_parts, &PartsFlow::newDevice);
    connect(m_palette, &PalettePanel::newWorkloadRequested, m_parts, &PartsFlow::newWorkload);
    connect(m_palette, &PalettePanel::importRequested, m_files, [this] { m_files->importModel(); });
    connect(m_palette, &PalettePanel::pasteRequested, m_parts, &PartsFlow::pasteModel);
    connect(m_palette, &PalettePanel::duplicateRequested, m_parts, &PartsFlow::duplicatePart);
    connect(m_palette, &PalettePanel::editRequested, m_parts, &PartsFlow::editPart);
    connect(m_palette, &PalettePanel::removeRequested, m_parts, &PartsFlow::removePart);
    connect(m_inspector, &Inspector::ownDeviceRequested, m_parts, &PartsFlow::deviceOfNode);
    connect(m_parts, &PartsFlow::message, m_status,
            [this](const QString& text) { m_status->showMessage(text, kMessageTime); });
    m_parts->setErrorPrompt(
        [this](const QString& title, const QString& text) { m_files->showError(title, text); });
    m_files->setModelReader([this](const QString& path) { return m_parts->importModelFile(path); });
    connect(m_library, &PartLibrary::changed, this, &MainWindow::followLibrary);
    if (const auto problems = m_library->problems(); !problems.isEmpty())
        m_status->showMessage(tr("Your library: %1").arg(problems.join(QStringLiteral("; "))), kMessageTime);
}

void MainWindow::followLibrary() {
    m_document->setCatalog(m_library->over(m_shipped));
    if (const auto problems = m_library->problems(); !problems.isEmpty())
        m_status->showMessage(tr("Your library: %1").arg(problems.join(QStringLiteral("; "))), kMessageTime);
}

void MainWindow::usePart(const PartRef& part) {
    const auto id = QString::fromStdString(part.id);
    const auto tell = [this](const QString& text) {
        if (!text.isEmpty())
            m_status->showMessage(text, kMessageTime);
    };
    if (part.kind != PartKind::Preset && (m_workspace != Workspace::Design || isStartPageShown()))
        setWorkspace(Workspace::Design);
    switch (part.kind) {
    case PartKind::Group:
        m_canvas->placing().placeGroup(part.id);
        break;
    case PartKind::Device:
        m_canvas->placing().placeDevice(id);
        break;
    case PartKind::Model:
        if (m_document->set("model", part.id))
            tell(tr("%1 is served now").arg(QString::fromStdString(m_document->scenario().model.name)));
        break;
    case PartKind::Workload:
        if (m_document->set("workload", part.id))
            tell(tr("%1 is served now").arg(workloadLine(m_document->scenario().workload)));
        break;
    case PartKind::Runtime:
        m_canvas->placing().chooseRuntime(id);
        break;
    case PartKind::Technique: {
        if (const auto* kind = engine::techniqueKinds().find(part.id))
            m_document->perform(
                engine::SetTechnique{part.id, !m_document->scenario().techniques.isOn(*kind)});
        break;
    }
    case PartKind::Layout:
        tell(applyLayout(*m_document, id));
        break;
    case PartKind::Preset:
        m_files->openPreset(part.id);
        break;
    }
}

void MainWindow::addPartEntries(std::vector<CommandPalette::Entry>& entries) {
    for (const auto& section : m_palette->sections())
        for (const auto& row : section.rows) {
            const auto part = *row.part;
            // A workload's name alone does not tell its size.
            const auto name =
                part.kind == PartKind::Workload ? tr("%1 (%2)").arg(row.name, row.detail) : row.name;
            entries.push_back({partKindText(partKindWords(part.kind).command).arg(name),
                               section.title,
                               {},
                               [this, part] {
                                   usePart(part);
                                   m_palette->noteUsed(part);
                               },
                               partKey(part)});
        }
    for (const auto& section : m_palette->sections())
        for (const auto& row : section.rows) {
            const auto part = *row.part;
            if (partKindWords(part.kind).hasEditor)
                entries.push_back(
                    {tr("Duplicate and edit %1\u2026").arg(row.name), section.title, {}, [this, part] {
                         m_parts->duplicatePart(part);
                     }});
            if (!row.isOwn())
                continue;
            entries.push_back({tr("Edit %1\u2026").arg(row.name), section.title, {}, [this, part] {
                                   m_parts->editPart(part);
                               }});
            entries.push_back({row.origin == PartOrigin::Design
                                   ? tr("Remove %1 from this design").arg(row.name)
                                   : tr("Remove %1 from your library\u2026").arg(row.name),
                               section.title,
                               {},
                               [this, part] { m_parts->removePart(part); }});
        }
}

CommandPalette* MainWindow::openCommandPalette() {
    std::vector<CommandPalette::Entry> entries;
    for (const auto& command : m_commands->commands())
        if (command.action->isEnabled() && command.id != QStringLiteral("help.commands"))
            entries.push_back({command.action->text().remove(QLatin1Char('&')), command.group,
                               command.action->shortcut().toString(QKeySequence::NativeText),
                               [action = command.action] { action->trigger(); },
                               QStringLiteral("action/") + command.id});
    addPartEntries(entries);
    const auto take = [&entries](std::vector<CommandPalette::Entry> more) {
        std::move(more.begin(), more.end(), std::back_inserter(entries));
    };
    take(metricEntries(*m_document, [this](engine::Metric metric) {
        setWorkspace(Workspace::Design);
        m_metrics->explain(metric);
    }));
    take(otherDeviceEntries(*m_document, [this](const QString& name, const engine::Scenario& design) {
        compareWith(name, design);
    }));
    take(parameterEntries(*m_document, [this](const std::string& path) { showQuantity(path); }));
    take(termEntries([this](const QString& term) { showGlossary(this, term); }));
    for (const auto& path : m_settings->recentFiles())
        entries.push_back({tr("Open %1").arg(QFileInfo(path).fileName()),
                           tr("Recent file"),
                           {},
                           [this, path] { m_files->openPath(path); },
                           QStringLiteral("file/") + path});
    auto* palette = new CommandPalette(std::move(entries), m_settings->recentCommands(), this);
    connect(palette, &CommandPalette::ran, this,
            [this](const QString& key) { m_settings->addRecentCommand(key); });
    palette->open();
    return palette;
}

} // namespace heteroscape::widgets
