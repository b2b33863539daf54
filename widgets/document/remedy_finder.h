// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/layout_ranking.h"
#include "engine/evaluation/metric.h"
#include "engine/evaluation/remedies.h"
#include "widgets/document/document.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace heteroscape::widgets {

class Document;

/// How sure the figures of the open design are: found on a thread of its own after each change, and only for
/// designs that rest on measured constants. UI thread.
class ExpectedErrorFinder : public QObject {
    Q_OBJECT
public:
    /// The one of this document, made when first asked for; the document owns it.
    static ExpectedErrorFinder& of(Document& document);

    bool isBusy() const { return m_job.isBusy(); }
    QString note(engine::Metric metric) const; ///< "±9 %, interpolated"; empty while nothing is known
    QString tip(engine::Metric metric) const;  ///< what that means, and what was calibrated on what

signals:
    void found();

private:
    struct Errors;
    explicit ExpectedErrorFinder(Document& document);
    void look();

    Document& m_document;
    std::shared_ptr<const Errors> m_errors; ///< null: nothing rests on measured constants, or not yet known
    Job m_job;
};

/// The best layouts of the open design's nodes, found on a thread of its own and only for what is asked. What
/// was found is forgotten when the design changes. UI thread.
class LayoutFinder : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 3;         ///< that are kept of a node
    static constexpr double kWorthProposing = 0.02; ///< of the metric: less is not proposed on a card

    /// The one of this document, made when first asked for; the document owns it.
    static LayoutFinder& of(Document& document);

    /// The node's layouts by a metric. Null while they are not known; then they are looked for and found()
    /// comes.
    const engine::LayoutRanking* ask(const engine::NodeId& node, engine::Metric metric);
    /// The same without looking for any.
    const engine::LayoutRanking* known(const engine::NodeId& node, engine::Metric metric) const;

    /// Whether a layout is proposed on the node's card: its model can be laid out in several ways and nobody
    /// has chosen one.
    static bool isOpen(const engine::Scenario& scenario, const engine::Node& node);
    /// What is proposed on the card of a node, as far as it is known; null: nothing.
    const engine::RankedLayout* proposal(const engine::NodeId& node) const;

signals:
    void found(); ///< one answer or several

private:
    explicit LayoutFinder(Document& document);
    static constexpr std::chrono::milliseconds kGather{250}; ///< answers that come so close are told as one

    void forget(); ///< unless what is known is of the present design; compares it once for each change
    void tell();

    using Key = std::pair<engine::NodeId, engine::Metric>;
    Document& m_document;
    std::uint64_t m_generation = 0;                              ///< of the document, when last compared
    std::optional<engine::Shared<engine::Scenario>> m_scenario;  ///< of this generation, for the thread
    std::map<Key, std::optional<engine::LayoutRanking>> m_known; ///< nothing: asked for
    QTimer m_gather;
    Job m_job{Job::Order::Each};
};

/// What helps against the problems of the open design, found on a thread of its own and only for what is
/// asked. What was found is forgotten when the design changes. UI thread.
class RemedyFinder : public QObject {
    Q_OBJECT
public:
    /// The one of this document, made when first asked for; the document owns it. Ask for it before
    /// connecting to the document's changed(), so that it forgets before you ask it again.
    static RemedyFinder& of(Document& document);

    using Remedies = std::vector<engine::Remedy>;
    /// Remedies against one of the document's findings, or one made by shortfallAt(). Null while they are not
    /// known; then they are looked for and found() comes.
    const Remedies* ask(const engine::Diagnostic& finding);
    /// The same without looking for any.
    const Remedies* known(const engine::Diagnostic& finding) const;
    /// What does not fit in the memory that an accelerator reaches, as a finding.
    static engine::Diagnostic shortfallAt(const engine::NodeId& node);

signals:
    void found(); ///< one answer or several
    void
    failed(const QString& message); ///< a search broke off: what it was for has no remedies; found() follows

private:
    explicit RemedyFinder(Document& document);
    static constexpr std::chrono::milliseconds kGather{250}; ///< answers that come so close are told as one

    void forget();
    void tell();
    void take(const std::string& key, Remedies remedies);

    Document& m_document;
    std::optional<engine::Shared<engine::Scenario>> m_scenario; ///< of this generation, for the thread
    std::shared_ptr<const engine::Evaluation> m_evaluation;     ///< the same
    std::map<std::string, std::optional<Remedies>> m_known;     ///< nothing: asked for
    std::string m_looked;                                       ///< key of what is being looked for
    QTimer m_gather;
    Job m_job{Job::Order::Each};
};

} // namespace heteroscape::widgets
