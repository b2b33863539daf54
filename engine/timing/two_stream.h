// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/l2_panel.h"
#include "engine/timing/timing_model.h"

#include "engine/base/small_list.h"

namespace heteroscape::engine {

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

    StepCost cost(double firstKeys, double lastKeys) const override;
    /// On the main stream, waiting included.
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double keys) const override; ///< on the main stream, waiting included
    std::vector<ScheduleBlock> blocks(double keys) const override;
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
    void run(double keys, Visit visit) const;
    Moment at(double keys) const;
    Bound boundOf(std::size_t index, double keys, bool waited) const;
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

} // namespace heteroscape::engine
