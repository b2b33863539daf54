// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/remedy_finder.h"
#include "widgets/document/one_of_document.h"

#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr const char* kShortfall = "shortfall";

std::string keyOf(const engine::Diagnostic& finding) {
    return finding.code + '\n' + finding.subject + '\n' + finding.message;
}

} // namespace

RemedyFinder& RemedyFinder::of(Document& document) {
    return oneOf<RemedyFinder>(document, [&] { return new RemedyFinder(document); });
}

engine::Diagnostic RemedyFinder::shortfallAt(const engine::NodeId& node) {
    return {engine::Severity::Error, node.value, {}, {}, kShortfall};
}

RemedyFinder::RemedyFinder(Document& document) : QObject(&document), m_document(document) {
    connect(&document, &Document::changed, this, &RemedyFinder::forget);
    connect(&document, &Document::evaluated, this, &RemedyFinder::forget);
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGather);
    connect(&m_gather, &QTimer::timeout, this, &RemedyFinder::found);
    connect(&m_job, &Job::finished, this, [this] {
        if (m_gather.isActive())
            tell();
    });
    connect(&m_job, &Job::failed, this, [this](const QString& message) {
        emit failed(message);
        take(m_looked, {}); // else it would be waited for
    });
}

void RemedyFinder::tell() {
    m_gather.stop();
    emit found();
}

void RemedyFinder::forget() {
    m_gather.stop();
    m_job.drop();
    m_known.clear();
    m_scenario.reset();
    m_evaluation.reset();
}

const RemedyFinder::Remedies* RemedyFinder::known(const engine::Diagnostic& finding) const {
    const auto found = m_known.find(keyOf(finding));
    return found == m_known.end() || !found->second ? nullptr : &*found->second;
}

const RemedyFinder::Remedies* RemedyFinder::ask(const engine::Diagnostic& finding) {
    if (m_document.isEvaluating()) // what is said is about an older design
        return nullptr;
    auto key = keyOf(finding);
    if (const auto asked = m_known.find(key); asked != m_known.end())
        return asked->second ? &*asked->second : nullptr;
    m_known[key].reset();
    if (!m_scenario)
        m_scenario = m_document.shared();
    const bool shortfall = finding.code == kShortfall;
    if (shortfall && !m_evaluation)
        m_evaluation = std::make_shared<const engine::Evaluation>(m_document.evaluation());
    m_job.start([this, key, finding, shortfall, scenario = *m_scenario, catalog = m_document.sharedCatalog(),
                 evaluation = m_evaluation](JobRun& run) {
        run.tell([this, key] { m_looked = key; });
        auto remedies = shortfall ? engine::remediesForShortfall(*scenario, *catalog, *evaluation,
                                                                 engine::NodeId{finding.subject})
                                  : engine::remedies(*scenario, *catalog, finding);
        return [this, key, remedies = std::move(remedies)] { take(key, remedies); };
    });
    return nullptr;
}

void RemedyFinder::take(const std::string& key, Remedies remedies) {
    m_known[key] = std::move(remedies);
    if (!m_gather.isActive())
        m_gather.start();
}

} // namespace heteroscape::widgets
