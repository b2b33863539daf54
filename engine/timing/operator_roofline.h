// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/roofline.h"

namespace heteroscape::engine {

/// Timing model `operator_roofline`: sum over operators of max(FLOP / compute rate, bytes / byte rate), and
/// their collectives. Rates are peaks x the runtime's shares of them. Matrices whose weights a recipe keeps
/// in FP8, INT8 or NVFP4 are multiplied at the device's peak in that format, where it is known and the
/// runtime sets none (FP8 else at that of INT8); routers, attention and absorbed products at that of the
/// runtime. Source: moe_parallel, section 13 (plain roofline).
class OperatorRoofline final : public PhaseTiming {
public:
    OperatorRoofline(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double firstKeys, double lastKeys) const override;
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double keys) const override;
    OperatorPeak peakOf(std::size_t op) const override { return peakOf(graph().operators()[op]); }

private:
    double m_share;    ///< of compute peaks
    double m_byteRate; ///< B/s

    OperatorPeak peakOf(const Operator& op) const;
    double flopRate(const Operator& op) const { return peakOf(op).flops * m_share; }
    std::pair<Tangent, Bound> at(const Operator& op, double keys) const; ///< once, s
};

const TimingModel& operatorRooflineModel();

} // namespace heteroscape::engine
