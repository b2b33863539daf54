// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/timing/kernels/kernel_catalog.h"

namespace heteroscape::engine {

/// Collectives of a step of a layered model on one kind of GPU, us; layered_step_kernels.h says which are
/// measured and which are assumptions. Refers to what it is made of.
class LayeredCollectives {
public:
    LayeredCollectives(const OperatorGraph& graph, const KernelCatalog& catalog, const Gpu& gpu)
        : m_graph(graph), m_catalog(catalog), m_gpu(gpu) {}

    /// Within a node, else acrossNodesTime(); throws Error (NotFound) where the link has no constants.
    KernelTime nccl(NcclOperation operation, double ranks, double bytes) const;
    /// Between stages.
    KernelTime send(double bytes) const;
    /// Dispatch to experts or combining what they give, of `rows` routed rows of each rank.
    KernelTime exchange(const Operator& op, double rows, double ranks, double bytes) const;

private:
    const OperatorGraph& m_graph;
    const KernelCatalog& m_catalog;
    const Gpu& m_gpu;

    KernelTime deepEp(bool dispatch, double rows, double ranks) const;
};

} // namespace heteroscape::engine
