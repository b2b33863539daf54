// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/scenario/technique.h"

namespace heteroscape::engine {

/// Load merging (GLITCHES section IV-C, "data prefetching"; "prefetch ratio M" there): one load instruction
/// fetches the operands of M compute instructions. Acts in decode, on runtimes that merge loads.
const Technique& loadMerging();
inline constexpr std::size_t kMergeRatio = 0; ///< M

/// Whether it is on and acts on decode steps of this node.
bool mergesLoads(const Scenario& scenario, const Node& node);

/// Its pass: one load fetches the weights, and one the meta-data, of `ratio` successive compute instructions
/// of every linear operator, lm_head included. KV loads are not merged. ratio >= 1.
void mergeLoads(OperatorGraph& graph, double ratio);

} // namespace heteroscape::engine
