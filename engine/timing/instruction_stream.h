// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

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
///   step   = sum of T_lin over linears + T_kv + T_sm, all other operators hidden.
/// Attention as one kernel (fused, matrices) takes the T_kv and T_sm of its parts: K and V are loaded and the
/// same elements exponentiated whatever the operators are called.
///
/// t_i, t_c: its issue and tile cycles over the clock. A batch multiplies t_c, K/V and softmax.
class InstructionStream final : public PhaseTiming {
public:
    InstructionStream(const OperatorGraph& graph, const Machine& machine); ///< a decode step

    StepCost cost(double firstKeys, double lastKeys) const override; ///< with the collectives
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    /// Bytes that the loads of a step move: weights, meta-data, one pass over K and V.
    Affine movedBytes() const override;
    std::vector<Term> operatorTerms(double keys) const override;
    double loadUtilisation() const override;

    StepCost streamCost() const; ///< without the collectives

    /// Seconds of one operator, all repeats, at a context of `keys`; zero for hidden ones.
    double seconds(const Operator& op, double keys) const;
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

    double tilesOf(const Operator& op) const;
    Term parameter(std::size_t index) const;
    Term cycles(std::size_t index, std::string name) const; ///< a parameter in cycles as a time
    Term explainLoad(const Term& bytes, std::string name) const;
    Term explainLinear(const Operator& op) const;
    Affine kvSeconds(const Operator& op) const;
    Affine softmaxSeconds(const Operator& op) const;
    Affine attentionSeconds(const Operator& op) const; ///< both, as far as the operator has them
};

const TimingModel& instructionStreamModel();

} // namespace heteroscape::engine
