// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/part_use.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/document/document.h"
#include "widgets/inspector/inspector.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/parts/device_editor.h"
#include "widgets/parts/part_library.h"
#include "widgets/parts/parts_flow.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_pieces.h"

#include <QMainWindow>

namespace heteroscape::widgets {

namespace {

constexpr int kMessageTime = 6000; ///< ms

} // namespace

PartUse::PartUse(const WindowPieces& window) : QObject(window.widget), m_window(window) {}

void PartUse::addCommands() {
    const auto add = m_window.commands->in(tr("Parts"));
    add("part.newDevice", tr("New &device\u2026"), {}, "plus", [this] { m_window.parts->newDevice(); });
    add("part.ofNode", tr("&Save the node as own device\u2026"), {}, "", [this] {
        const auto& nodes = m_window.document->selection().nodes;
        if (nodes.size() == 1)
            m_window.parts->deviceOfNode(nodes.front());
    });
    add("part.newWorkload", tr("New &workload\u2026"), {}, "", [this] { m_window.parts->newWorkload(); });
    add("part.pasteModel", tr("&Paste a model (config.json)"), {}, "",
        [this] { m_window.parts->pasteModel(); });
    add("part.find", tr("&Find a part"), Qt::CTRL | Qt::Key_P, "search", [this] {
        m_window.docks->showPalette();
        m_window.palette->focusSearch();
    });
}

void PartUse::wire() {
    std::vector<PresetEntry> presets;
    for (const auto& preset : m_window.context->presets())
        presets.push_back({QString::fromStdString(preset.id), QString::fromStdString(preset.name),
                           QString::fromStdString(preset.about)});
    m_window.palette->setPresets(std::move(presets));
    connect(m_window.palette, &PalettePanel::useRequested, this, &PartUse::use);
    connect(m_window.palette, &PalettePanel::newDeviceRequested, m_window.parts, &PartsFlow::newDevice);
    connect(m_window.palette, &PalettePanel::newWorkloadRequested, m_window.parts, &PartsFlow::newWorkload);
    connect(m_window.palette, &PalettePanel::importRequested, m_window.files,
            [this] { m_window.files->importModel(); });
    connect(m_window.palette, &PalettePanel::pasteRequested, m_window.parts, &PartsFlow::pasteModel);
    connect(m_window.palette, &PalettePanel::duplicateRequested, m_window.parts, &PartsFlow::duplicatePart);
    connect(m_window.palette, &PalettePanel::editRequested, m_window.parts, &PartsFlow::editPart);
    connect(m_window.palette, &PalettePanel::removeRequested, m_window.parts, &PartsFlow::removePart);
    connect(m_window.inspector, &Inspector::ownDeviceRequested, m_window.parts, &PartsFlow::deviceOfNode);
    connect(m_window.parts, &PartsFlow::message, m_window.status,
            [this](const QString& text) { m_window.status->showMessage(text, kMessageTime); });
    m_window.parts->setErrorPrompt(
        [this](const QString& title, const QString& text) { m_window.files->showError(title, text); });
    m_window.files->setModelReader(
        [this](const QString& path) { return m_window.parts->importModelFile(path); });
    connect(m_window.library, &PartLibrary::changed, this, &PartUse::followLibrary);
    if (const auto problems = m_window.library->problems(); !problems.isEmpty())
        m_window.status->showMessage(tr("Your library: %1").arg(problems.join(QStringLiteral("; "))),
                                     kMessageTime);
}

void PartUse::followLibrary() {
    m_window.document->setCatalog(m_window.library->over(m_window.shipped));
    if (const auto problems = m_window.library->problems(); !problems.isEmpty())
        m_window.status->showMessage(tr("Your library: %1").arg(problems.join(QStringLiteral("; "))),
                                     kMessageTime);
}

void PartUse::use(const PartRef& part) {
    const auto id = QString::fromStdString(part.id);
    const auto tell = [this](const QString& text) {
        if (!text.isEmpty())
            m_window.status->showMessage(text, kMessageTime);
    };
    if (part.kind != PartKind::Preset && !m_window.workspaces->isDesignShown())
        m_window.workspaces->show(Workspace::Design);
    switch (part.kind) {
    case PartKind::Group:
        m_window.canvas->placing().placeGroup(part.id);
        break;
    case PartKind::Device:
        m_window.canvas->placing().placeDevice(id);
        break;
    case PartKind::Model:
        if (m_window.document->set("model", part.id))
            tell(
                tr("%1 is served now").arg(QString::fromStdString(m_window.document->scenario().model.name)));
        break;
    case PartKind::Workload:
        if (m_window.document->set("workload", part.id))
            tell(tr("%1 is served now").arg(workloadLine(m_window.document->scenario().workload)));
        break;
    case PartKind::Runtime:
        m_window.canvas->placing().chooseRuntime(id);
        break;
    case PartKind::Technique: {
        if (const auto* kind = engine::techniqueKinds().find(part.id))
            m_window.document->perform(
                engine::SetTechnique{part.id, !m_window.document->scenario().techniques.isOn(*kind)});
        break;
    }
    case PartKind::Layout:
        tell(applyLayout(*m_window.document, id));
        break;
    case PartKind::Preset:
        m_window.files->openPreset(part.id);
        break;
    }
}

void PartUse::addEntries(std::vector<CommandPalette::Entry>& entries) {
    for (const auto& section : m_window.palette->sections())
        for (const auto& row : section.rows) {
            const auto part = *row.part;
            // A workload's name alone does not tell its size.
            const auto name =
                part.kind == PartKind::Workload ? tr("%1 (%2)").arg(row.name, row.detail) : row.name;
            entries.push_back({partKindText(partKindWords(part.kind).command).arg(name),
                               section.title,
                               {},
                               [this, part] {
                                   use(part);
                                   m_window.palette->noteUsed(part);
                               },
                               partKey(part)});
        }
    for (const auto& section : m_window.palette->sections())
        for (const auto& row : section.rows) {
            const auto part = *row.part;
            if (partKindWords(part.kind).hasEditor)
                entries.push_back(
                    {tr("Duplicate and edit %1\u2026").arg(row.name), section.title, {}, [this, part] {
                         m_window.parts->duplicatePart(part);
                     }});
            if (!row.isOwn())
                continue;
            entries.push_back({tr("Edit %1\u2026").arg(row.name), section.title, {}, [this, part] {
                                   m_window.parts->editPart(part);
                               }});
            entries.push_back({row.origin == PartOrigin::Design
                                   ? tr("Remove %1 from this design").arg(row.name)
                                   : tr("Remove %1 from your library\u2026").arg(row.name),
                               section.title,
                               {},
                               [this, part] { m_window.parts->removePart(part); }});
        }
}

} // namespace heteroscape::widgets

#include "moc_part_use.cpp"
