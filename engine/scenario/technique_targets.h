// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/connected_parts.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Where techniques act: which nodes and collectives of a scenario each of them can change, and which of
/// those that are on do. Made for one scenario, which must outlive it; asking is then a lookup.
class TechniqueTargets {
public:
    explicit TechniqueTargets(const Scenario& scenario);

    /// Why the technique can change nothing at that node or link, with what to do, in one line; empty when
    /// it can, whether it is on or not. Throws Error (NotFound) for an unknown technique, node or link.
    std::string refusal(std::string_view technique, const NodeId& id) const;
    std::string refusal(std::string_view technique, const LinkId& id) const;

    /// Ids of the techniques that are on and act there, in the order of techniqueSpecs(). Roles tell of the
    /// split of prefill and decode, so that one is not among them.
    std::vector<std::string_view> on(const NodeId& id) const;
    std::vector<std::string_view> on(const LinkId& id) const;

private:
    const Scenario& m_scenario;
    ConnectedParts m_parts;
    std::vector<char> m_attends; ///< of each part: what it has of what attention near storage needs
    std::map<LinkId, const Node*> m_collectives; ///< links that sum up the shards of a node that can prefetch

    std::string refusalAt(std::string_view technique, const Node& node) const;
    std::string nearStorageRefusal(std::string_view technique, const Node& node) const;
};

} // namespace heteroscape::engine
