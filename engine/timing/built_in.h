// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/small_list.h"
#include "engine/timing/kernels/device_class.h"
#include "engine/timing/l2_panel.h"
#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

// The timing models that ship with the engine.

/// Timing model `launch_floor`: roofline, but a step is never shorter than launching its kernels takes:
///   seconds = max(floor, roofline) + collectives.
/// Source: eager GPU decode in GLITCHES Table I, 24.26 ms on the A100 whatever the context.
/// The floor is one quantity of the runtime; it is not scaled with the number of layers.
const TimingModel& launchFloorModel();

/// Timing model `roofline` for a whole step:
///   seconds = max(FLOPs / (peak FLOP/s x e_c), bytes / (peak B/s x e_m)) + collectives,
/// e_c and e_m its efficiencies. The sums are taken before the maximum, as the efficiencies are calibrated on
/// whole steps. Source: Williams et al., CACM 2009; GLITCHES section III-B.
///
/// Shared out to operators: memory-bound ones take their own roofline time and compute-bound ones share the
/// rest; when all are shorter than the step (a launch floor), all stretch in proportion.
class RooflineTiming : public PhaseTiming {
public:
    RooflineTiming(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double firstContext, double lastContext) const override;
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double context) const override;
    Term explain(double context) const override;
    OperatorSums sums() const override { return m_sums; }

protected:
    virtual StepCost wholeCost() const; ///< without collectives
    /// What wholeCost() is the largest of, at `context`.
    virtual std::vector<Term> wholeTerms(double context) const;
    Term explainWhole(double context) const; ///< how wholeCost() comes about

private:
    OperatorSums m_sums;
    double m_flopRate; ///< FLOP/s reached
    double m_byteRate; ///< B/s reached
};

/// A model whose first two parameters are the shares of the peaks that it reaches.
class PeakShareModel : public TimingModel {
public:
    using TimingModel::TimingModel;
    enum Parameter : std::size_t { kComputeEfficiency, kMemoryEfficiency };

    std::span<const KindParameter> parameters() const override; ///< the two alone
    double computeShare(const Settings& settings) const override { return settings[kComputeEfficiency]; }
    double memoryShare(const Settings& settings) const override { return settings[kMemoryEfficiency]; }
};

const TimingModel& rooflineModel();

/// The peaks of a device, FLOP/s; NaN where nothing says one. FP8 where it is not set: what it does in INT8,
/// as one unit does both; but where a chip has cut its INT8 below FP16 (B300), as much more than that as the
/// GPU that was measured.
struct DevicePeaks {
    explicit DevicePeaks(const Device& device);

    double fp16, int8, fp8, fp4;
};

/// Of each operator of a graph the device's peak in the format that a recipe keeps its weights in, else the
/// runtime's.
using OperatorPeaks = SmallList<OperatorPeak, 32>;
OperatorPeaks peaksOfFormats(const OperatorGraph& graph, const Machine& machine);

/// B that an operator reads at least, over the keys of its context: weights as stored, and KV cache.
Affine weightAndCacheBytes(const Operator& op, const Machine& machine);

/// Timing model `operator_roofline`: sum over operators of max(FLOP / compute rate, bytes / byte rate), and
/// their collectives. Rates are peaks x the runtime's shares of them. Matrices whose weights a recipe keeps
/// in FP8, INT8 or NVFP4 are multiplied at the device's peak in that format, where it is known and the
/// runtime sets none (FP8 else at that of INT8); routers, attention and absorbed products at that of the
/// runtime. Source: moe_parallel, section 13 (plain roofline).
class OperatorRoofline final : public PhaseTiming {
public:
    OperatorRoofline(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double firstContext, double lastContext) const override;
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double context) const override;
    OperatorPeak peakOf(std::size_t op) const override { return m_peaks[op]; }

private:
    OperatorPeaks m_peaks;
    double m_share;    ///< of compute peaks
    double m_byteRate; ///< B/s

    std::pair<Tangent, Bound> at(std::size_t op, double context) const; ///< once, s
};

const TimingModel& operatorRooflineModel();

/// Timing model `peak_bound`: what a step takes at least, however its operators are written and ordered:
///   seconds = max(sum of FLOPs / compute rate, bytes of weights and caches / byte rate,
///                 bytes of collectives / link bandwidth),
/// rates the device's peaks x the runtime's shares of them. Each operator multiplies at the highest peak that
/// the device has for the format of its weights (see OperatorRoofline; MXFP4 at FP4, else FP8) or for the
/// runtime's activations; activations
/// stay on the chip, whose L2 or registers a fused kernel may keep them in; collectives hide behind the rest,
/// and messages start at once. Of mixtures the experts are read that its tokens meet. Source: Williams et
/// al., CACM 2009, with the link as a third roof.
class PeakBound final : public PhaseTiming {
public:
    PeakBound(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double, double) const override { return m_cost; }
    /// Own times at the peaks, stretched or shrunk together to the step's.
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    Term explain(double context) const override;
    Affine movedBytes() const override { return m_bytes; }
    Affine bytesOf(std::size_t op) const override;
    OperatorPeak peakOf(std::size_t op) const override { return m_peaks[op]; }

private:
    OperatorPeaks m_peaks;
    double m_share; ///< of compute peaks
    Affine m_bytes;
    StepCost m_cost; ///< the same at every context
};

const TimingModel& peakBoundModel();

/// Timing model `instruction_stream`: single-token steps on an instruction-driven accelerator whose streams,
/// one a memory channel, run in lock step (FlightLLM; GLITCHES section IV). For one stream:
///
///   ld(b)  = t_i + b / (bandwidth / channels x e_m)            one load instruction of b bytes, s
///   tiles  = weights x weight bytes / tile bytes / channels     of one linear operator; may be fractional
///   groups of g = min(M, tiles left), M = loads per fetch (load merging), ping-pong buffers:
///     load_end_i = max(load_end_(i-1), mv_end_(i-2)) + ld(tile g) + ld(meta g)
///     mv_end_i   = max(mv_end_(i-1), load_end_i) + g t_c
///   T_lin  = the last mv_end, no overlap from one operator to the next
///   T_kv   = (K and V bytes of the context on one channel / tile) ld(tile), never merged
///   T_sm   = softmax elements / (elements a cycle x clock), not overlapped
///   step   = sum of T_lin over linears + T_kv + T_sm, all other operators hidden;
///            but no less than all compute takes at the peak of the accelerator.
/// Attention as one kernel (fused, matrices) takes the T_kv and T_sm of its parts: K and V are loaded and the
/// same elements exponentiated whatever the operators are called.
///
/// t_i, t_c: its issue and tile cycles over the clock. A batch multiplies t_c, K/V and softmax.
class InstructionStream final : public PhaseTiming {
public:
    InstructionStream(const OperatorGraph& graph, const Machine& machine); ///< a decode step

    StepCost cost(double firstContext, double lastContext) const override; ///< with the collectives
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    /// Bytes that the loads of a step move: weights, meta-data, one pass over K and V.
    Affine movedBytes() const override;
    std::vector<Term> operatorTerms(double context) const override;
    double loadUtilisation() const override;

    OperatorSums sums() const override { return m_sums; }

    const StepCost& streamCost() const { return m_stream; } ///< of the instructions alone, no collectives

    /// Seconds of one operator, all repeats, at `context`; zero for hidden ones.
    double seconds(const Operator& op, double context) const { return secondsOf(op).at(context); }
    Bound bound(const Operator& op) const;

    double loadSeconds(double bytes) const; ///< ld(b)
    /// Share of the peak bandwidth that loads of so many bytes reach, one after the other:
    /// b / ld(b) / (bandwidth / channels). GLITCHES, Fig 5.
    static double loadUtilisation(const Machine& machine, double bytes);
    double linearSeconds(double tiles, double ratio, double tileCompute) const; ///< T_lin, in closed form
    double tileCompute(const Operator& op) const; ///< t_c for the rows that are multiplied, s

private:
    double m_issue;        ///< t_i, s
    double m_tokenCompute; ///< t_c for one token, s
    double m_bandwidth;    ///< B/s of one channel in large bursts
    double m_tile;         ///< B
    double m_meta;         ///< B

    struct Part { ///< an operator, all repeats
        Affine seconds;
        Bound bound;
    };
    SmallList<Part, 24> m_parts; ///< parallel to the operators
    OperatorSums m_sums;
    StepCost m_stream;
    StepCost m_computed; ///< m_stream, or all compute at the peak where that takes longer

    void raiseToPeak(double context, std::vector<Term>& once) const; ///< the same for terms
    double tilesOf(const Operator& op) const;
    Term parameter(std::size_t index) const;
    Term cycles(std::size_t index, std::string name) const; ///< a parameter in cycles as a time
    Term explainLoad(const Term& bytes, std::string name) const;
    Term explainLinear(const Operator& op) const;
    Affine kvSeconds(const Operator& op) const;
    Affine softmaxSeconds(const Operator& op) const;
    Affine attentionSeconds(const Operator& op) const; ///< both, as far as the operator has them
    Affine secondsOf(const Operator& op) const;        ///< all repeats
};

const TimingModel& instructionStreamModel();

/// Timing model `l2_panel`: operators timed by L2Panel on two streams, as PRESERVE runs it (its Figure 1).
/// For each segment:
///
///   prefetch stream: starts with the segment's allreduce and reads what is prefetched, one operator after
///                    the other at memory bandwidth: ready_i = sum of their read times
///   main stream:     allreduce          now += T_AR
///                    prefetched         now  = max(now + t(hit), ready_i)
///                    reads from memory  start = max(now, memory free), now = memory free = start + t
///                    anything else      now += t
///
/// Memory is free from the end of the prefetch stream. Layers repeat
/// the same segments, which do not overlap, so a step is sum over segments of repeat x segment. Linear in the
/// number of operators, no loop over layers or tokens; allocates nothing but what blocks() returns.
class TwoStream final : public PhaseTiming {
public:
    TwoStream(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double firstContext, double lastContext) const override;
    /// On the main stream, waiting included.
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double context) const override; ///< on the main stream, waiting included
    std::vector<ScheduleBlock> blocks(double context) const override;
    Affine movedBytes() const override { return m_moved; } ///< by memory
    Traffic traffic(const Operator& op) const override;
    double l2Roof() const override { return machine().l2Bandwidth; }

private:
    struct Item {
        L2Panel::Cost cost;
        Affine read;                ///< s of memory for its weights or KV cache
        double collective = 0.0;    ///< s, allreduces
        std::size_t prefetches = 0; ///< operators up to the end of the segment, allreduces
    };
    struct Placed { ///< one operator on the main stream, from the start of its segment
        Tangent start;
        Tangent end;
        Tangent readStart; ///< of its prefetch or read; equal to readEnd when there is none
        Tangent readEnd;
        bool waited = false; ///< for its prefetch
    };

    struct Moment { ///< a step at one context
        Tangent seconds;
        Bound bound = Bound::None; ///< what most of the time goes to
    };

    L2Panel m_panel;
    SmallList<Item, 24> m_items; ///< parallel to the operators
    Affine m_moved;

    /// Calls visit(index, placed) for each operator in order; a new segment starts at zero.
    template <class Visit>
    void run(double context, Visit visit) const;
    Moment at(double context) const;
    Bound boundOf(std::size_t index, double context, bool waited) const;
};

/// What two models that time operators against L2 have in common: the device's needs, fused operators.
class L2Model : public TimingModel {
public:
    using TimingModel::TimingModel;
    std::span<const DeviceNeed> deviceNeeds() const override;
    std::optional<Refusal> refusal(const Runtime& runtime) const override;
    bool seesL2() const override { return true; }
};

const TimingModel& l2PanelModel();

/// Timing model `ascend910b_prefill`: the prefill beside which the decode layers of ascend910b_measured were
/// calibrated: l2_panel with everything prefetched that fits L2 (Algorithm 1, whether the technique is on or
/// not), free communication and no LM head. Source: PRESERVE section 5, read so that its Table 1 comes out.
const TimingModel& ascend910bPrefillModel();

/// Timing model `ascend910b_measured`: a decode layer as measured end to end on Ascend 910B servers under
/// torchair, collectives and launches included:
///
///   layer = F0 + M0 (1 - W_hit / W) + w W + V
///   V     = 2 keys r                 several KV heads a device: strided rows of 128 B, r by hit or miss,
///           but never below KV bytes / BW (memory or L2)
///           KV bytes / BW_hbm or 0   one KV head: contiguous; nothing when hit
///
/// W: matrix weights of the layer on one device, W_hit the prefetched part; F0, M0, w, r are its
/// layer and row quantities. The step is `layers` such layers, but no less than memory and compute take at
/// the device's peaks; the LM head is within the measurement. Calibrated on Table 1 of PRESERVE (its
/// Llama3-8B and Llama3-70B rows). Shared out to operators: the fixed time in equal parts, weights by their
/// bytes, V to attention.
class Ascend910bMeasured final : public PhaseTiming {
public:
    Ascend910bMeasured(const OperatorGraph& decodeStep, const Machine& machine);

    StepCost cost(double firstContext, double lastContext) const override;
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double context) const override;
    Term explain(double context) const override;

    double layerConstant() const { return m_fixed + m_missed + m_weights; } ///< s, all but V
    double layerFixed() const { return m_fixed; }
    double layerWeights() const { return m_missed + m_weights; } ///< s, M0 and w terms
    const Affine& layerKv() const { return m_kv; }               ///< V, s
    Affine layerSeconds() const { return m_kv + Affine{layerConstant(), 0.0}; }

private:
    double m_fixed;
    double m_missed;
    double m_weights;
    Affine m_kv;
    double m_bytes = 0.0; ///< W
    double m_hit = 0.0;   ///< W_hit
    Affine m_kvBytes;
    bool m_kvHit = false;

    Term parameter(std::size_t index) const;
    Term explainFixed() const;
    Term explainWeights() const; ///< M0 and w terms
    Term explainKv(double context) const;
};

const TimingModel& ascend910bMeasuredModel();

/// Timing model `class_rule`: a whole step of a device that nobody measured, by the rule of silicon_more.md,
/// section A3, with the factor of the device's maker:
///   decode, or prompts beside it   sqrt((FLOP / F_e)^2 + (bytes / B_e)^2) + L tau + n seq + collectives
///   prompts alone                  FLOP / F_e + L tau max(1, tokens / 8192) + collectives,
/// the second never shorter than its bytes take (which the source leaves out: short prompts read all weights
/// too). FLOP and bytes are those of the operators; bytes are weights and KV cache, and collectives carry
/// 16 bits an element, as the rule was fitted. A collective takes alpha_e, and its transfer as drawn over a
/// share beta / k of the link. The whole step is held against one peak: that of the format in which most of
/// its matrices are multiplied.
///
/// The band is that of the whole step; a maker of which only single kernels were measured, some of them
/// slower than the mean of all makers (Ascend's attention over prompts, its 8-bit products, a TPU without a
/// fused attention), has a slow end that is as far out as the step would be with these. What was measured of
/// the device itself (class_factor, class_compute16, ..., class_band_pct) stands in for all of it.
class ClassRuleTiming final : public PhaseTiming {
public:
    ClassRuleTiming(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double firstContext, double lastContext) const override;
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    Term explainWithin(Contexts contexts, double context) const override;
    void operatorErrors(double context, std::span<ExpectedError> out) const override;
    double collectiveOnce(std::size_t op) const override;
    Term explainCollective(std::size_t op) const override;
    OperatorPeak peakOf(std::size_t op) const override;

private:
    const MakerClasses& m_classes;
    std::string_view m_class; ///< of the device's maker
    StepFormat m_format;
    ClassRates m_rates;
    double m_factor;
    bool m_prompts; ///< nothing decodes
    double m_layers = 0.0;
    double m_host = 0.0;        ///< s, before the factor
    double m_collectives = 0.0; ///< s, before the factor
    // Seconds at the rates reached, of products and of attention apart.
    Affine m_flops, m_bytes, m_attentionFlops, m_attentionBytes;

    double once(const Operator& op) const; ///< of a collective, s before the factor
    Tangent joined(Tangent flops, Tangent bytes) const;
    Tangent at(double context) const; ///< of the step, s
    Bound boundAt(double context) const;
    double slower(double context) const; ///< the step with the maker's own kernels over that of the rule
    void timesOf(const StepCost& step, double context, std::span<OperatorTime> out) const;
    ExpectedError errorAt(double context) const;
};

const TimingModel& classRuleModel();

/// Timing models `gpu_kernels_<framework>`: a step as the sum of its kernels, each timed by a model that was
/// fitted on measurements of that framework (silicon_kernels.md, sections 2 to 6 and 11; what becomes of an
/// operator: step_kernels.h). Each kernel's time has its launch from a CUDA graph in it; where kernels are
/// launched by the host a step takes at least kernels x host time per launch, a parameter.
///
/// GEMM precision: 16-bit weights bf16; 8 bits int8_wo with 16-bit activations, else sq on Ampere, fp8_block,
/// fp8_static or fp8 by the switches; 4 bits int4_wo with 16-bit activations, nvfp4 with 4. A KV cache of 8
/// bits is fp8. Figures are the device's, constants those of the GPU that its `kernels` names; S, f
/// and rates per clock that the device does not set are that GPU's, and peaks follow (device_peaks.h); a peak
/// that is edited leaves them alone (section 1).
///
/// Over a decode attention is smooth in the context but not affine: contexts are cut where 1024 + context
/// has grown by half, and in each stretch a line goes through the two points whose mean is that of all
/// contexts for a cubic (context_stretch.h). The sum is within 1e-4. Latent attention walks keys in blocks of
/// 64: stretches are cut at whole blocks, each of which counts at its middle. A decode is explained by these
/// lines.
///
/// Collectives are those of the drawn link's kind, at its rate. PCIe's constants count in its raw rate, of
/// which a large transfer, and so a drawn link, gets 0.75; those of PCIe 4 are of a server whose cards go
/// through the host, those of PCIe 5 stand for peers (LinkType::peer), of whose server nothing else is known.
///
/// Layered models, and mixtures of equal layers by their layeredForm(): layered_step_kernels.h. What has no
/// constants on a device is refused with what is missing.
const TimingModel& gpuKernelsTrtllm();
const TimingModel& gpuKernelsSglang();
const TimingModel& gpuKernelsVllm();
const TimingModel& gpuKernelsBest(); ///< of each operator the fastest of the three

/// Why a model of steps as they were measured, fused and on the device, does not take a runtime; none: it
/// does.
std::optional<TimingKind::Refusal> refusalUnlessFused(const TimingModel& model, const Runtime& runtime);

} // namespace heteroscape::engine
