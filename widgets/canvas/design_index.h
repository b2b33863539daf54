// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique_targets.h"
#include "widgets/document/document.h"
#include "widgets/document/offload_view.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heteroscape::widgets {

/// The document's nodes, links and findings by id, so that reading every card takes time in proportion to
/// their number. A short-lived view: of no use once the document changes.
class DesignIndex {
public:
    explicit DesignIndex(const Document& document);

    const Document& document() const { return m_document; }
    std::optional<std::size_t> node(const engine::NodeId& id) const; ///< in the scenario's order
    std::optional<std::size_t> link(const engine::LinkId& id) const;
    const engine::Node* findNode(const engine::NodeId& id) const; ///< null when there is none
    const engine::Link* findLink(const engine::LinkId& id) const;

    const std::vector<std::size_t>& linksOf(std::size_t node) const { return m_linksOf[node]; }
    double parallelLinks(const engine::Link& link) const; ///< as engine::parallelLinks()

    using Findings = std::vector<const engine::Diagnostic*>;
    const Findings& findingsOf(const engine::NodeId& id) const; ///< about it or one of its properties
    const Findings& findingsOf(const engine::LinkId& id) const;

    const engine::TechniqueTargets& targets() const { return m_targets; } ///< where techniques act
    const BottleneckPlace& bottleneck() const { return m_bottleneck; }
    /// Something offloads, fails to fit, or is a CSD: then cards say more, see addOffloading().
    bool hasTiers() const { return m_hasTiers; }
    /// What lies on a node, and what does not fit there; nothing where nothing is known of it.
    const std::optional<TierAt>& tierAt(const engine::NodeId& id) const;
    std::vector<NodeShortfall>
    shortfallsAt(const engine::NodeId& id) const; ///< put into words for each who asks
    bool isSelected(const engine::NodeId& id) const { return m_selected.contains(id.value); }

private:
    const Document& m_document;
    engine::TechniqueTargets m_targets;
    std::unordered_map<std::string_view, std::size_t> m_nodes;
    std::unordered_map<std::string_view, std::size_t> m_links;
    std::vector<std::vector<std::size_t>> m_linksOf;
    std::unordered_map<std::string_view, Findings> m_nodeFindings;
    std::unordered_map<std::string_view, Findings> m_linkFindings;
    std::unordered_set<std::string> m_selected;                    ///< nodes
    std::unordered_map<std::string_view, std::size_t> m_evaluated; ///< of results(), where there are tiers
    std::vector<std::optional<TierAt>> m_tiers;
    std::vector<std::vector<std::size_t>> m_shortfalls;
    BottleneckPlace m_bottleneck;
    bool m_hasTiers = false;
};

} // namespace heteroscape::widgets
