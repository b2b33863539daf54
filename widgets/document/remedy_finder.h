// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/remedies.h"
#include "widgets/document/document.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace heteroscape::widgets {

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
