// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/remedy_finder.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/scenario/node_fields.h"
#include "widgets/document/document.h"

#include <QStringList>
#include <cmath>
#include <set>
#include <utility>

namespace heteroscape::widgets {

struct ExpectedErrorFinder::Errors {
    std::array<engine::ExpectedError, engine::kMetricCount> of;
    QStringList calibrations; ///< "calibrated on rows.csv, 120 rows, ±4.2 %", each once
};

ExpectedErrorFinder& ExpectedErrorFinder::of(Document& document) {
    return oneOf<ExpectedErrorFinder>(document, [&] { return new ExpectedErrorFinder(document); });
}

ExpectedErrorFinder::ExpectedErrorFinder(Document& document) : QObject(&document), m_document(document) {
    connect(&document, &Document::changed, this, &ExpectedErrorFinder::look);
    look();
}

void ExpectedErrorFinder::look() {
    m_job.drop();
    const bool had = std::exchange(m_errors, nullptr) != nullptr;
    if (!engine::hasExpectedErrors(m_document.scenario())) {
        if (had)
            emit found();
        return;
    }
    m_job.start([this, shared = m_document.shared()](JobRun&) -> Job::Show {
        const auto& scenario = *shared;
        auto errors = std::make_shared<Errors>();
        const engine::ExpectedErrors expected(scenario, engine::evaluate(scenario));
        for (std::size_t i = 0; i < errors->of.size(); ++i)
            errors->of[i] = expected.of(static_cast<engine::Metric>(i));
        std::set<std::string> told;
        for (const auto& node : scenario.nodes)
            if (node.runtime && node.runtime->ownKernels &&
                told.insert(node.runtime->ownKernels->text()).second)
                errors->calibrations << QString::fromStdString(node.runtime->ownKernels->text());
        return [this, errors = std::shared_ptr<const Errors>(std::move(errors))] {
            m_errors = errors;
            emit found();
        };
    });
}

QString ExpectedErrorFinder::note(engine::Metric metric) const {
    const auto error = m_errors ? m_errors->of[static_cast<std::size_t>(metric)] : engine::ExpectedError();
    if (!error)
        return {};
    const auto evidence = QString::fromUtf8(engine::evidenceText(error.evidence()));
    if (std::isnan(error.percent))
        return evidence;
    if (error.byClass)
        return tr("×%1 to ×%2, %3")
            .arg(QString::number(std::exp(-error.below), 'f', 2),
                 QString::number(std::exp(error.above), 'f', 2), evidence);
    return tr("±%1\u202f%, %2")
        .arg(QString::number(std::max(1.0, std::round(error.percent)), 'f', 0), evidence);
}

QString ExpectedErrorFinder::tip(engine::Metric metric) const {
    const auto error = m_errors ? m_errors->of[static_cast<std::size_t>(metric)] : engine::ExpectedError();
    if (!error)
        return {};
    const auto told = QString::fromStdString(error.text());
    if (error.byClass)
        return tr("%1: what other accelerators reached of their peaks. Nobody measured this one.").arg(told);
    const bool systems = !std::isnan(error.most);
    QStringList lines{
        systems ? tr("Expected within %1: of servers that were measured, half were nearer than the first, "
                     "80 % nearer than the second.")
                      .arg(told)
                : tr("Expected within %1, for kernels alone: half of those that nothing was fitted on "
                     "were nearer to their measurement. A server takes more.")
                      .arg(told)};
    for (const auto& calibration : m_errors->calibrations)
        lines << calibration.left(1).toUpper() + calibration.mid(1);
    return lines.join(u'\n');
}

LayoutFinder& LayoutFinder::of(Document& document) {
    return oneOf<LayoutFinder>(document, [&] { return new LayoutFinder(document); });
}

LayoutFinder::LayoutFinder(Document& document) : QObject(&document), m_document(document) {
    connect(&document, &Document::changed, this, &LayoutFinder::forget);
    connect(&document, &Document::evaluated, this, &LayoutFinder::forget);
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGather);
    connect(&m_gather, &QTimer::timeout, this, &LayoutFinder::found);
    connect(&m_job, &Job::failed, this, &LayoutFinder::found); // nothing is known, and nothing proposed
    connect(&m_job, &Job::finished, this, [this] {
        if (m_gather.isActive())
            tell();
    });
}

void LayoutFinder::tell() {
    m_gather.stop();
    emit found();
}

void LayoutFinder::forget() {
    if (m_generation == m_document.generation())
        return;
    m_generation = m_document.generation();
    if (m_scenario && **m_scenario == m_document.scenario())
        return;
    m_gather.stop();
    m_job.drop();
    m_known.clear();
    m_scenario.reset();
}

const engine::LayoutRanking* LayoutFinder::known(const engine::NodeId& node, engine::Metric metric) const {
    const auto entry = m_known.find({node, metric});
    return entry == m_known.end() || !entry->second ? nullptr : &*entry->second;
}

const engine::LayoutRanking* LayoutFinder::ask(const engine::NodeId& node, engine::Metric metric) {
    if (m_document.isEvaluating()) // the answer would be about an older design
        return nullptr;
    forget(); // whoever asks may have been told of a change first
    const Key key{node, metric};
    if (const auto asked = m_known.find(key); asked != m_known.end())
        return asked->second ? &*asked->second : nullptr;
    m_known[key].reset();
    if (!m_scenario)
        m_scenario = m_document.shared();
    m_job.start([this, key, scenario = *m_scenario](JobRun& run) {
        auto ranking = engine::rankLayouts(*scenario, key.first, key.second, kMost, run.stop());
        return [this, key, ranking = std::move(ranking)] {
            if (!ranking.complete)
                return;
            m_known[key] = ranking;
            if (!m_gather.isActive())
                m_gather.start();
        };
    });
    return nullptr;
}

bool LayoutFinder::isOpen(const engine::Scenario& scenario, const engine::Node& node) {
    return engine::isAccelerator(node.device.kind) && node.runtime && !scenario.model.isUniform() &&
           engine::layoutChoiceDevices(node) > 1.0 && !engine::hasLayout(node);
}

const engine::RankedLayout* LayoutFinder::proposal(const engine::NodeId& id) const {
    const auto* node = m_document.scenario().findNode(id);
    if (!node || !isOpen(m_document.scenario(), *node))
        return nullptr;
    const auto* ranking = known(id, engine::Metric::Throughput);
    return ranking ? ranking->better(kWorthProposing) : nullptr;
}

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

#include "moc_remedy_finder.cpp"
