// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/remedy_finder.h"

#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr const char* kShortfall = "shortfall";

std::string keyOf(const engine::Diagnostic& finding) {
    return finding.code + '\n' + finding.subject + '\n' + finding.message;
}

} // namespace

RemedyFinder& RemedyFinder::of(Document& document) {
    if (auto* finder = document.findChild<RemedyFinder*>(QString(), Qt::FindDirectChildrenOnly))
        return *finder;
    return *new RemedyFinder(document);
}

engine::Diagnostic RemedyFinder::shortfallAt(const engine::NodeId& node) {
    return {engine::Severity::Error, node.value, {}, {}, kShortfall};
}

RemedyFinder::RemedyFinder(Document& document)
    : QObject(&document), m_document(document),
      m_thread([this](const std::stop_token& stop) { work(stop); }) {
    connect(&document, &Document::changed, this, &RemedyFinder::forget);
    connect(&document, &Document::evaluated, this, &RemedyFinder::forget);
}

RemedyFinder::~RemedyFinder() {
    m_thread.request_stop();
    m_thread.join(); // before what it works on goes
}

void RemedyFinder::forget() {
    ++m_generation;
    m_known.clear();
    m_scenario.reset();
    const std::lock_guard lock(m_mutex);
    m_jobs.clear();
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
        m_scenario = std::make_shared<const engine::Scenario>(m_document.scenario());
    Job job{m_generation, std::move(key), {}};
    if (finding.code != kShortfall)
        job.work = [scenario = m_scenario, catalog = m_document.sharedCatalog(), finding] {
            return engine::remedies(*scenario, *catalog, finding);
        };
    else
        job.work = [scenario = m_scenario, catalog = m_document.sharedCatalog(),
                    evaluation = m_document.evaluation(), node = engine::NodeId{finding.subject}] {
            return engine::remediesForShortfall(*scenario, *catalog, evaluation, node);
        };
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
    m_wakeUp.notify_one();
    return nullptr;
}

void RemedyFinder::take(std::uint64_t generation, const std::string& key, Remedies remedies) {
    if (generation != m_generation)
        return;
    m_known[key] = std::move(remedies);
    emit found();
}

void RemedyFinder::work(const std::stop_token& stop) {
    for (;;) {
        std::unique_lock lock(m_mutex);
        if (!m_wakeUp.wait(lock, stop, [this] { return !m_jobs.empty(); }))
            return;
        auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        auto remedies = job.work();
        QMetaObject::invokeMethod(
            this,
            [this, generation = job.generation, key = std::move(job.key),
             remedies = std::move(remedies)]() mutable { take(generation, key, std::move(remedies)); },
            Qt::QueuedConnection);
    }
}

} // namespace heteroscape::widgets
