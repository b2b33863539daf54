// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/small_list.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/kernels/attention_module.h"
#include "engine/timing/kernels/served_kernels.h"

#include <variant>

namespace heteroscape::engine {

/// Contexts of a decode, from `first` to `last`, over which the time of attention is taken for a line: it is
/// smooth in the context but not affine. The line goes through the two contexts apart() below and above the
/// middle, where a cubic's mean is that over all whole contexts of the stretch.
struct ContextStretch {
    double first;
    double last;
    bool stepped = false; ///< the time grows in blocks of keys (kLatentKeyBlock)

    /// The one that begins with `first`, of contexts up to `last`: cut where 1024 + context has grown by
    /// half; where steps count, of whole blocks of keys or within one.
    static ContextStretch from(double first, double last, bool stepped);

    double middle() const { return 0.5 * (first + last); }
    /// Whether it is of whole blocks of keys: one context of each counts, its middle one.
    bool ofBlocks() const;
    double apart() const; ///< 0 where one context counts
};

/// What the kernels of one operator take, once.
struct OperatorKernels {
    KernelTime time;        ///< us; the bound is that of the longest of them
    double longest = 0.0;   ///< us
    Rate rate = Rate::Bf16; ///< of its products
    double launches = 0.0;  ///< kernels; a share of one where several operators are one kernel
    // Of the time: what has an expected error, that error in us, what rests on another device, and what lies
    // beyond what was measured.
    double knownUs = 0.0, errorUs = 0.0, otherDeviceUs = 0.0, beyondUs = 0.0;
    double readApart = 0.0; ///< elements: what it reads as a part of a GEMM less what the graph has it read

    void add(const KernelTime& kernel);
    void scale(double share); ///< of several operators that are one kernel, one
    void scaleTime(double factor);
    /// With what is not among the kernels added, of the time alone: a decode's attention.
    ExpectedError expectedError(const KernelTime& besides = {}) const;
};

/// Latent attention of a decode.
struct LatentKernel {
    GpuFigures gpu;
    MlaDecodeConstants constants;
    MlaSerialConstants serial;
    bool isSerial = false; ///< keys are not split over SMs: `serial` holds
    MlaDecodeShape shape;  ///< but for `cached`
    KernelTrust trust{};

    /// `smooth`: not in blocks of keys; at the middle of a block the same.
    KernelTime at(double cached, bool smooth) const;
};

/// The whole attention of a layer, of a decode.
struct ModuleKernel {
    GpuFigures gpu;
    ModuleConstants constants;
    ModuleWidths widths;
    ModuleStep step; ///< but for `cached`
    KernelTrust trust{};

    KernelTime at(double context) const; ///< the new token among them
};

/// Attention of a decode, whose time depends on the context, of one operator.
struct ContextKernel {
    std::size_t op = 0;  ///< its index in the graph
    double before = 0.0; ///< us of the operator's kernels that do not see the context
    std::variant<GenerationKernel, LatentKernel, ModuleKernel> kernel;

    bool isStepped() const;          ///< in blocks of keys
    double last(double first) const; ///< context up to which it is smooth; infinite: all
    KernelTime at(double cached, bool smooth = false) const;
};

/// What of a step of a server (see StepShape::sequences) the time of an operator hangs on: steps that agree
/// in it share that time. Experts and their collectives take the rows of the group, the LM head those that
/// ask for a token; Sequences are attended to one by one, or rows are told apart by what they are.
enum class StepPart { Rows, GroupRows, Logits, Sequences };
inline constexpr std::size_t kStepParts = 4;
StepPart stepPart(const Operator& op);

/// One kernel over all prompts of a step: each takes its share of a batch of as many that are alike, so that
/// what a launch costs is paid once. `timeOf(batch, tokens, cached)`: the KernelTime of such a batch.
template <class Time>
KernelTime overPrompts(std::span<const StepSequences> sequences, Time timeOf) {
    double prompts = 0.0;
    for (const auto& one : sequences)
        prompts += one.decodes ? 0.0 : one.count;
    KernelTime sum;
    double longest = 0.0;
    for (const auto& one : sequences) {
        if (one.decodes)
            continue;
        auto time = timeOf(prompts, one.queryTokens, one.pastTokens);
        time.us *= one.count / prompts;
        const double before = sum.us;
        if (time.us > longest) {
            longest = time.us;
            sum = time;
        }
        sum.us = before + time.us;
    }
    return sum;
}

/// The kernels that the operators of a fused graph of a dense model become, the one place where that is
/// decided (silicon_kernels.md, section 11): linears that read the same rows are one GEMM, shared out to them
/// by FLOPs; the rotary embedding belongs to attention, a cast to the linear behind it, the embedding to the
/// final norm, gathering the logits and the greedy choice to the LM head. What is summed up before the head
/// is that of all rows, as frameworks pick the last tokens behind it.
/// Those of layered models: layered_step_kernels.h. The graph has each of them read the rows; all that they
/// read is shared out like the time, so that each stands where the GEMM does below the roof.
/// In a step of a server linears take the rows of all sequences; prompts attend in one kernel (see
/// overPrompts()), sequences that decode in another at their own context.
/// Gives the operators (parallel to the graph's) without the attention of a decode, which is in `contexts`.
/// Of a graph only `which` operators are composed; those of StepPart::Sequences for the step of `shape`,
/// which may be another than the graph's that has the same operators.
struct StepKernels {
    StepKernels() = default;
    StepKernels(const OperatorGraph& graph, const ServedKernels& kernels, const StepShape& shape,
                const OperatorSet& which);

    SmallList<OperatorKernels, 32> operators;
    SmallList<ContextKernel, 1> contexts;

    /// Shares a GEMM out to the operators of the graph that it is.
    void shareOut(const OperatorGraph& graph, const OperatorKernels& whole, const OperatorSet& parts);
};

} // namespace heteroscape::engine
