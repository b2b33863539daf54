// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/link_flow.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Where techniques act: which nodes and collectives of a scenario each of them can change, and which of
/// those that are on do. Made for one scenario, which must outlive it; asking is then a lookup.
class TechniqueTargets {
public:
    explicit TechniqueTargets(const Scenario& scenario);

    /// See Technique::refusalAt(). Throws Error (NotFound) for an unknown node or link.
    std::string refusal(const Technique& technique, const NodeId& id) const;
    std::string refusal(const Technique& technique, const LinkId& id) const;

    /// The techniques that are on, act there and are marked on cards, in their order.
    std::vector<const Technique*> on(const NodeId& id) const;
    std::vector<const Technique*> on(const LinkId& id) const;

    // What techniques ask in order to answer.

    /// What a connected part of a system has of what attention near storage needs.
    struct Part {
        bool host = false;
        bool csds = false; ///< that attend
        bool user = false; ///< an accelerator whose runtime lets them
    };
    const Scenario& scenario() const { return m_scenario; }
    const Part& partOf(const Node& node) const; ///< to which a node of the scenario belongs
    /// Nodes whose devices sum up their shards over the link; empty where none do.
    std::span<const Node* const> reducedOver(const Link& link) const;

private:
    const Scenario& m_scenario;
    ConnectedParts m_parts;
    std::vector<Part> m_contents; ///< of each node that stands for a part
    std::map<LinkId, std::vector<const Node*>> m_collectives;
};

} // namespace heteroscape::engine
