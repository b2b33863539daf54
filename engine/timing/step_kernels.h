// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/small_list.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/kernels/served_kernels.h"

namespace heteroscape::engine {

/// What the kernels of one operator take, once.
struct OperatorKernels {
    KernelTime time;       ///< us; the bound is that of the longest of them
    double longest = 0.0;  ///< us
    double launches = 0.0; ///< kernels; a share of one where several operators are one kernel

    void add(const KernelTime& kernel);
};

/// The kernels that the operators of a fused graph of a dense model become, the one place where that is
/// decided (silicon_kernels.md, section 11): linears that read the same rows are one GEMM, shared out to them
/// by FLOPs; the rotary embedding belongs to attention, a cast to the linear behind it, the embedding to the
/// final norm, gathering the logits and the greedy choice to the LM head. What is summed up before the head
/// is that of all rows, as frameworks pick the last tokens behind it.
/// Gives the operators (parallel to the graph's) without the attention of a decode, which is `generation`.
struct StepKernels {
    StepKernels(const OperatorGraph& graph, const ServedKernels& kernels);

    SmallList<OperatorKernels, 32> operators;
    GenerationKernel generation;
};

} // namespace heteroscape::engine
