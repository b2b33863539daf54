// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/layout_ranking.h"
#include "widgets/document/document.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace heteroscape::widgets {

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

} // namespace heteroscape::widgets
