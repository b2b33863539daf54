// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/phase.h"
#include "engine/operators/operator_graph.h"
#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// The passes of the techniques that act on this node in this phase.
void applyTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node, Phase phase);

} // namespace heteroscape::engine
