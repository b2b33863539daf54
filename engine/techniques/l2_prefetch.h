// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

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
