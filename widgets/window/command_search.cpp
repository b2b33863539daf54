// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_palette.h"

#include "engine/evaluation/metric.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/document/truth_text.h"
#include "widgets/explore/default_axes.h"
#include "widgets/glossary/glossary.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/settings/settings.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/part_use.h"
#include "widgets/window/study_flow.h"
#include "widgets/window/window_pieces.h"

#include <QFileInfo>
#include <QMainWindow>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace heteroscape::widgets {

class Document;
class SimulationRunner;

/// What the command palette finds of the open design: each number, choice and switch with its value, run to
/// be shown where it is edited. Of a design of many parts those of the parts alone that are selected.
std::vector<CommandPalette::Entry> parameterEntries(const Document& document,
                                                    const std::function<void(const std::string&)>& show);

/// What the open design has of a metric: of the last simulation where only one has it, else of the steady
/// state. In SI; NaN where it has none.
double metricOf(const Document& document, const SimulationRunner& simulation, engine::Metric metric);

/// Every metric with its value, a dash where it has none, run to be explained.
std::vector<CommandPalette::Entry> metricEntries(const Document& document, const SimulationRunner& simulation,
                                                 const std::function<void(engine::Metric)>& explain);

/// For each device that could stand in place of one that runs: the design with it, to be compared. Those that
/// fit on its links come first.
using CompareDesign = std::function<void(const QString& name, const engine::Scenario& design)>;
std::vector<CommandPalette::Entry> otherDeviceEntries(const Document& document, const CompareDesign& compare);

/// Each word and page of the guide, run to be shown there.
std::vector<CommandPalette::Entry> termEntries(const std::function<void(const QString& link)>& show);

namespace {

/// Nodes and links of a design whose every number is found.
constexpr std::size_t kMostParts = 60;

/// Whether the node or link that a path names is selected; true for a path of neither.
bool isWanted(const Selection& selection, const std::string& path) {
    const auto named = [&path](const auto& ids, const std::string& section) {
        return std::any_of(ids.begin(), ids.end(),
                           [&](const auto& id) { return path.starts_with(section + id.value + '.'); });
    };
    if (path.starts_with("nodes."))
        return named(selection.nodes, "nodes.");
    if (path.starts_with("links."))
        return named(selection.links, "links.");
    return true;
}

engine::Scenario withDevice(engine::Scenario design, const std::string& id, const engine::Device& device,
                            const engine::Catalog& catalog) {
    for (std::size_t i = 0; i < design.nodes.size(); ++i)
        if (const auto node = design.nodes[i]; node.runtime && node.device.id == id)
            engine::applyEdit(design, engine::replaceDevice(node, device, catalog));
    return design;
}

/// How many links of what runs on this device another one could be put on.
std::ptrdiff_t linksFor(const engine::Scenario& design, const std::string& device,
                        const engine::Device& other) {
    const auto isOn = [&](const engine::NodeId& id) {
        return std::any_of(design.nodes.begin(), design.nodes.end(), [&](const engine::Node& node) {
            return node.id == id && node.runtime && node.device.id == device;
        });
    };
    const auto takes = [](const std::vector<std::string>& ports, const std::string& type) {
        return std::find(ports.begin(), ports.end(), type) != ports.end();
    };
    return std::count_if(design.links.begin(), design.links.end(), [&](const engine::Link& link) {
        return (isOn(link.from) || isOn(link.to)) &&
               (takes(other.ports, link.type.id) || takes(other.morePorts, link.type.id));
    });
}

/// What could stand in place of a device: of its kind, what fits on its links first, else as the catalogue
/// has them.
std::vector<const engine::Device*> replacements(const Document& document, const engine::Device& present) {
    std::vector<std::pair<std::ptrdiff_t, const engine::Device*>> ranked;
    for (const auto& other : document.catalog().devices)
        if (other.kind == present.kind && other.id != present.id)
            ranked.emplace_back(linksFor(document.scenario(), present.id, other), &other);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const engine::Device*> devices;
    for (const auto& one : ranked)
        devices.push_back(one.second);
    return devices;
}

} // namespace

std::vector<CommandPalette::Entry> parameterEntries(const Document& document,
                                                    const std::function<void(const std::string&)>& show) {
    const auto& scenario = document.scenario();
    const bool many = scenario.nodes.size() + scenario.links.size() > kMostParts;
    std::vector<CommandPalette::Entry> entries;
    for (const auto& parameter : engine::listParameters(scenario, document.catalog())) {
        if ((many && !isWanted(document.selection(), parameter.path)) || parameter.path == "system")
            continue; // a system is swept; a design is opened
        const auto value = QString::fromStdString(engine::parameterText(scenario, parameter));
        const auto& spec = parameter.spec;
        entries.push_back({parameterName(scenario, parameter.path, spec),
                           value.isEmpty() ? CommandPalette::tr("not set")
                                           : (value + QLatin1Char(' ') + words(spec.unit)).trimmed(),
                           {},
                           [show, path = parameter.path] { show(path); },
                           {},
                           words(spec.about) + QLatin1Char(' ') + QString::fromStdString(parameter.path)});
    }
    return entries;
}

double metricOf(const Document& document, const SimulationRunner& simulation, engine::Metric metric) {
    if (!engine::isSimulated(metric))
        return document.evaluation().feasible ? document.evaluation().metric(metric) : engine::kUnset;
    const auto run = simulation.isSteady() ? nullptr : simulation.run();
    return run ? run->evaluation.metric(metric) : engine::kUnset;
}

std::vector<CommandPalette::Entry> metricEntries(const Document& document, const SimulationRunner& simulation,
                                                 const std::function<void(engine::Metric)>& explain) {
    std::vector<CommandPalette::Entry> entries;
    for (const auto& spec : engine::metricSpecs()) {
        const auto text =
            metricText(spec, engine::toEdge(metricOf(document, simulation, spec.metric), spec.scale));
        entries.push_back({CommandPalette::tr("Explain %1").arg(words(spec.label)),
                           (text.value + QLatin1Char(' ') + text.unit).trimmed(),
                           {},
                           [explain, metric = spec.metric] { explain(metric); },
                           {},
                           words(spec.about)});
    }
    return entries;
}

std::vector<CommandPalette::Entry> termEntries(const std::function<void(const QString& link)>& show) {
    std::vector<CommandPalette::Entry> entries;
    for (const auto& term : Glossary::instance().terms())
        entries.push_back({CommandPalette::tr("What is: %1").arg(term.term),
                           CommandPalette::tr("Guide"),
                           {},
                           [show, link = term.link] { show(link); },
                           {},
                           term.names.join(u' ')});
    return entries;
}

std::vector<CommandPalette::Entry> otherDeviceEntries(const Document& document,
                                                      const CompareDesign& compare) {
    std::vector<const engine::Device*> running; // each once
    for (const auto& node : document.scenario().nodes)
        if (node.runtime && std::none_of(running.begin(), running.end(),
                                         [&](const auto* one) { return one->id == node.device.id; }))
            running.push_back(&node.device);
    std::vector<CommandPalette::Entry> entries;
    for (const auto* present : running)
        for (const auto* other : replacements(document, *present)) {
            const auto name = QString::fromStdString(other->name);
            entries.push_back({CommandPalette::tr("Compare with %1 in place of %2")
                                   .arg(name, QString::fromStdString(present->name)),
                               CommandPalette::tr("What if"),
                               {},
                               [&document, compare, name, other = *other, id = present->id] {
                                   compare(CommandPalette::tr("%1 with %2").arg(document.title(), name),
                                           withDevice(document.scenario(), id, other, document.catalog()));
                               },
                               {}});
        }
    return entries;
}

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
        showGuide(window.widget, term ? term->link : QString());
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
    take(termEntries([&window](const QString& link) { showGuide(window.widget, link); }));
    for (const auto& path : window.settings->recentFiles())
        entries.push_back({QObject::tr("Open %1").arg(QFileInfo(path).fileName()),
                           QObject::tr("Recent file"),
                           {},
                           [&window, path] { window.files->openPath(path); },
                           QStringLiteral("file/") + path});
    auto& pins = window.document->pins();
    const auto readAgainst = [&](const QString& name, std::optional<std::size_t> which) {
        entries.push_back({QObject::tr("Read against %1").arg(name), QObject::tr("Pins"), {}, [&pins, which] {
                               pins.setBaseline(which);
                           }});
    };
    for (std::size_t i = 0; i < pins.all().size(); ++i)
        readAgainst(pinLabel(pins.all()[i]), i);
    if (pins.baselineIndex())
        readAgainst(QObject::tr("nothing"), std::nullopt);
    auto* palette = new CommandPalette(std::move(entries), window.settings->recentCommands(), window.widget);
    QObject::connect(palette, &CommandPalette::ran, window.widget,
                     [&window](const QString& key) { window.settings->addRecentCommand(key); });
    palette->open();
    return palette;
}

} // namespace heteroscape::widgets
