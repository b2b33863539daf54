// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/remedies.h"
#include "widgets/document/document.h"

#include <QObject>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace heteroscape::widgets {

/// What helps against the problems of the open design, found on a thread of its own and only for what is
/// asked. What was found is forgotten when the design changes. UI thread.
class RemedyFinder : public QObject {
    Q_OBJECT
public:
    /// The one of this document, made when first asked for; the document owns it. Ask for it before
    /// connecting to the document's changed(), so that it forgets before you ask it again.
    static RemedyFinder& of(Document& document);
    ~RemedyFinder() override;

    using Remedies = std::vector<engine::Remedy>;
    /// Remedies against one of the document's findings, or one made by shortfallAt(). Null while they are not
    /// known; then they are looked for and found() comes.
    const Remedies* ask(const engine::Diagnostic& finding);
    /// The same without looking for any.
    const Remedies* known(const engine::Diagnostic& finding) const;
    /// What does not fit in the memory that an accelerator reaches, as a finding.
    static engine::Diagnostic shortfallAt(const engine::NodeId& node);

signals:
    void found();

private:
    struct Job {
        std::uint64_t generation = 0;
        std::string key;
        std::function<Remedies()> work;
    };

    explicit RemedyFinder(Document& document);
    void forget();
    void work(const std::stop_token& stop);
    void take(std::uint64_t generation, const std::string& key, Remedies remedies);

    Document& m_document;
    std::shared_ptr<const engine::Scenario> m_scenario;     ///< of this generation, for the thread
    std::map<std::string, std::optional<Remedies>> m_known; ///< nothing: asked for
    std::uint64_t m_generation = 0;

    std::mutex m_mutex; ///< of what follows
    std::condition_variable_any m_wakeUp;
    std::deque<Job> m_jobs;
    std::jthread m_thread;
};

} // namespace heteroscape::widgets
