// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_problems.h"

#include "widgets/document/remedy_finder.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

std::vector<Problem> problemsOf(const DesignIndex::Findings& findings) {
    std::vector<Problem> problems;
    for (const auto* finding : findings)
        problems.push_back({finding->severity, QString::fromStdString(finding->message),
                            QString::fromStdString(finding->remedy), *finding});
    return problems;
}

void sortBySeverity(std::vector<Problem>& problems) {
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
}

} // namespace

std::vector<Problem> problemsAt(const DesignIndex& index, const engine::NodeId& id) {
    auto problems = problemsOf(index.findingsOf(id));
    for (const auto& missing : index.shortfallsAt(id))
        problems.push_back({engine::Severity::Error, missing.brief, missing.full,
                            RemedyFinder::shortfallAt(missing.node), true});
    sortBySeverity(problems);
    return problems;
}

std::vector<Problem> problemsAt(const DesignIndex& index, const engine::LinkId& id) {
    auto problems = problemsOf(index.findingsOf(id));
    sortBySeverity(problems);
    return problems;
}

} // namespace heteroscape::widgets
