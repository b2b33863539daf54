// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/roofline.h"

namespace heteroscape::engine {

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

    StepCost cost(double firstKeys, double lastKeys) const override;
    /// Own times at the peaks, stretched or shrunk together to the step's.
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    Term explain(double keys) const override;
    Affine movedBytes() const override { return m_bytes; }
    Affine bytesOf(std::size_t op) const override;
    OperatorPeak peakOf(std::size_t op) const override { return peakOf(graph().operators()[op]); }

private:
    double m_share;   ///< of compute peaks
    Affine m_compute; ///< s
    Affine m_bytes;

    OperatorPeak peakOf(const Operator& op) const;
};

const TimingModel& peakBoundModel();

} // namespace heteroscape::engine
