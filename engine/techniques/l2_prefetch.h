// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/scenario/technique.h"

namespace heteroscape::engine {

/// Read weights and KV cache into L2 while the devices wait for an allreduce (PRESERVE, Algorithm 1). Acts on
/// pools of several devices whose runtime sees L2.
const Technique& l2Prefetch();
inline constexpr std::size_t kL2Budget = 0;        ///< share of L2 that prefetched data may take
inline constexpr std::size_t kPrefetchWeights = 0; ///< option: of matrix multiplications
inline constexpr std::size_t kPrefetchKv = 1;      ///< option: of attention in decode

/// Whether it can act on a node, on or not: several devices share one replica, the timing of a
/// phase sees L2, and the device has one.
bool canPrefetch(const Node& node);
/// Whether it is on and acts on steps of this node.
bool prefetches(const Scenario& scenario, const Node& node);

/// What may be prefetched and where to.
struct L2PrefetchRule {
    double budget = 0.0;      ///< B of L2 that the prefetched data of one allreduce may take
    double weightBytes = 1.0; ///< B of a weight
    double kvBytes = 1.0;     ///< B of a K or V element
    bool weights = true;      ///< matrix multiplications; otherwise they are neither counted nor prefetched
    bool kv = true;           ///< attention, in the same way
};

/// Bytes of L2 that an operator's operands need: its weights, or its KV cache as allocated.
double l2Need(const Operator& op, const L2PrefetchRule& rule);

/// Prefetch operator insertion, Algorithm 1 of PRESERVE: from every allreduce, breadth first over what
/// follows it and until the next allreduce; each matrix multiplication and attention is added up by the L2 it
/// needs and marked as prefetched while the sum stays below the budget; the first that does not ends the
/// search. KV caches count by their allocated size. A pass over the graph of one step; a graph without
/// allreduces stays as it is.
void insertPrefetches(OperatorGraph& graph, const L2PrefetchRule& rule);

} // namespace heteroscape::engine
