// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/techniques/graph_pass.h"

#include <vector>

namespace heteroscape::engine {

/// The passes that act on a step, in their order: what the node's runtime offloads, then those of the
/// techniques that are on, as techniqueKinds() has them.
std::vector<const GraphPass*> passesOn(const PassContext& context);

/// Runs them over the graph of that step. Each is checked after it ran where assertions are on. Allocates
/// nothing.
void applyTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node, Phase phase);

/// One pass, checked in every build.
void applyChecked(const GraphPass& pass, OperatorGraph& graph, const PassContext& context);

} // namespace heteroscape::engine
