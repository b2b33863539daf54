// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

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

    StepCost cost(double firstKeys, double lastKeys) const override;
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double keys) const override;
    Term explain(double keys) const override;
    OperatorSums sums() const override { return m_sums; }

protected:
    virtual StepCost wholeCost() const; ///< without collectives
    /// What wholeCost() is the largest of, at a context of `keys`.
    virtual std::vector<Term> wholeTerms(double keys) const;
    Term explainWhole(double keys) const; ///< how wholeCost() comes about

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

} // namespace heteroscape::engine
