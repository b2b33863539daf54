// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

/// Load merging (GLITCHES section IV-C, "data prefetching"): one load instruction fetches the weights, and
/// one the meta-data, of `ratio` successive compute instructions of every linear operator, lm_head included.
/// KV loads are not merged. A pass over the graph of one step; ratio >= 1.
void mergeLoads(OperatorGraph& graph, double ratio);

} // namespace heteroscape::engine
