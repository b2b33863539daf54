// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/roofline.h"

namespace heteroscape::engine {

/// What a device multiplies in FP8, FLOP/s: where it is not set what it does in INT8, as one unit does both;
/// but where a chip has cut its INT8 below FP16 (B300), as much more than that as the GPU that was measured.
double fp8Peak(const Device& device);
/// The device's peak in the format that a recipe keeps the weights of an operator in, else the runtime's.
OperatorPeak peakOfFormat(const Operator& op, const Model& model, const Machine& machine);

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

    StepCost cost(double firstKeys, double lastKeys) const override;
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double keys) const override;
    OperatorPeak peakOf(std::size_t op) const override {
        return peakOfFormat(graph().operators()[op], graph().model(), machine());
    }

private:
    double m_share;    ///< of compute peaks
    double m_byteRate; ///< B/s

    double flopRate(const Operator& op) const {
        return peakOfFormat(op, graph().model(), machine()).flops * m_share;
    }
    std::pair<Tangent, Bound> at(const Operator& op, double keys) const; ///< once, s
};

const TimingModel& operatorRooflineModel();

} // namespace heteroscape::engine
