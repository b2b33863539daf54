// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_problems.h"

#include "widgets/document/offload_view.h"
#include "widgets/document/remedy_finder.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

std::vector<Problem> findingsAbout(const Document& document, const std::string& id, const char* folder) {
    std::vector<Problem> problems;
    const auto prefix = folder + id + ".";
    for (const auto& finding : document.diagnostics())
        if (finding.subject == id || finding.subject.starts_with(prefix))
            problems.push_back({finding.severity, QString::fromStdString(finding.message),
                                QString::fromStdString(finding.remedy), finding});
    return problems;
}

void sortBySeverity(std::vector<Problem>& problems) {
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
}

} // namespace

std::vector<Problem> problemsAt(const Document& document, const engine::NodeId& id) {
    auto problems = findingsAbout(document, id.value, "nodes.");
    for (const auto& missing : shortfallsAt(document, id))
        problems.push_back({engine::Severity::Error, missing.brief, missing.full,
                            RemedyFinder::shortfallAt(missing.node), true});
    sortBySeverity(problems);
    return problems;
}

std::vector<Problem> problemsAt(const Document& document, const engine::LinkId& id) {
    auto problems = findingsAbout(document, id.value, "links.");
    sortBySeverity(problems);
    return problems;
}

} // namespace heteroscape::widgets
