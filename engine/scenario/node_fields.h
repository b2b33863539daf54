// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// The numeric properties of a node itself (its device and runtime have their own tables).
std::span<const Field<Node>> nodeFields();
/// Those of them that say how a layered model lies over the devices of a replica.
std::span<const Field<Node>> layoutFields();
bool hasLayout(const Node& node); ///< any of them is set
/// Those that say something of this node: how a model lies over it is asked of accelerators, how experts and
/// requests are dealt only where its layers differ.
std::vector<Field<Node>> nodeFields(const Node& node, const Model& model);

/// The degrees of a layout above one, as engineers write them: "TP 2, DP 4, EP 8".
std::string degreesText(const Layout& layout);

} // namespace heteroscape::engine
