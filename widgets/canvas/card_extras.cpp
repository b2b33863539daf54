// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_extras.h"

#include "widgets/canvas/canvas_words.h"
#include "widgets/canvas/node_problems.h"
#include "widgets/canvas/part_edits.h"

namespace heteroscape::widgets {

std::vector<TechniqueChip> techniqueChips(const engine::Scenario& scenario,
                                          const std::vector<const engine::Technique*>& kinds) {
    std::vector<TechniqueChip> chips;
    for (const auto* kind : kinds)
        chips.push_back({std::string(kind->id()),
                         QString::fromStdString(kind->mark(scenario.techniques[*kind])),
                         techniqueLabel(kind->id())});
    return chips;
}

QString fabricWord(const engine::Device& device) {
    switch (device.kind) {
    case engine::DeviceKind::Cpu:
        return device.hostMemory.isSet() ? tr("Host") : tr("Host, scheduler");
    case engine::DeviceKind::Switch:
        return tr("Switch");
    case engine::DeviceKind::Ssd:
        return tr("Storage");
    case engine::DeviceKind::Csd:
        return tr("Storage, computes");
    default:
        return tr("%1, carries data only").arg(QString::fromUtf8(engine::deviceKindLabel(device.kind)));
    }
}

void addProblems(NodeCard& card, const DesignIndex& index, const engine::Node& node) {
    QStringList notes;
    for (const auto& problem : problemsAt(index, node.id)) {
        if (problem.severity == engine::Severity::Note) {
            notes << problem.sentence();
        } else if (card.problem.isEmpty()) {
            card.problem = problem.isShortfall ? problem.message : problem.sentence();
            card.problemIsError = problem.severity == engine::Severity::Error;
        }
    }
    card.note = notes.join(QLatin1Char('\n'));
}

} // namespace heteroscape::widgets
