// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_extras.h"

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

void addProblems(NodeCard& card, const Document& document, const engine::Node& node) {
    QStringList notes;
    for (const auto& problem : problemsAt(document, node.id)) {
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
