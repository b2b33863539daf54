// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// Nodes with all their values and the links among them, away from any design: what is copied.
struct Clip {
    std::vector<Node> nodes;
    std::vector<Link> links; ///< between those nodes only
};

/// These nodes of a design, in its order, and the links among them. Ids that are not there are left out.
Clip clipOf(const Scenario& scenario, const std::vector<NodeId>& nodes);

/// The nodes as JSON: {"format": "heteroscape-clip", "formatVersion": 1, "nodes": [...], "links": [...]},
/// written as in a design.
std::string writeClip(const Scenario& scenario, const std::vector<NodeId>& nodes);
/// Strict; `where` begins the place in every message. Devices, runtimes and link types must be full objects.
/// Throws Error naming the key and what is allowed.
Clip readClip(const std::string& text, const std::string& where);

/// Adds a clip to a design: fresh ids, every node `offset` away from where it was. `pasted` gets the new
/// nodes' ids.
EditList pasteEdit(const Scenario& into, const Clip& clip, Position offset, std::vector<NodeId>& pasted);
/// The same from text; throws like readClip().
EditList pasteEdit(const Scenario& into, const std::string& text, Position offset,
                   std::vector<NodeId>& pasted);

} // namespace heteroscape::engine
