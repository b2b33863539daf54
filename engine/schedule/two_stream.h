// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/blocks.h"
#include "engine/timing/l2_panel.h"

#include <array>

namespace heteroscape::engine {

/// The schedule of one step on two streams, as PRESERVE runs it (its Figure 1). For each segment:
///
///   prefetch stream: starts with the segment's allreduce and reads what is prefetched, one operator after
///                    the other at memory bandwidth: ready_i = sum of their read times
///   main stream:     allreduce          now += T_AR
///                    prefetched         now  = max(now + t(hit), ready_i)
///                    reads from memory  start = max(now, memory free), now = memory free = start + t
///                    anything else      now += t
///
/// Memory is free from the end of the prefetch stream. Operator times are those of l2_panel. Layers repeat
/// the same segments, which do not overlap, so a step is sum over segments of repeat x segment. Linear in the
/// number of operators, no loop over layers or tokens; allocates nothing but what blocks() returns.
class TwoStream {
public:
    /// Both outlive it.
    TwoStream(const OperatorGraph& graph, const Machine& machine, Phase phase);

    struct Step {
        Tangent seconds;
        Bound bound = Bound::None; ///< what most of the time goes to
    };
    Step at(double keys) const;

    /// Seconds of each operator on the main stream, all repeats, waiting included, and what it is bound by.
    void operatorTimes(double keys, std::span<OperatorTime> out) const;
    std::vector<ScheduleBlock> blocks(double keys) const;
    Affine movedBytes() const; ///< that memory moves in a step

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

    const OperatorGraph& m_graph;
    std::array<Item, OperatorGraph::kCapacity> m_items;
    Affine m_moved;

    /// Calls visit(index, placed) for each operator in order; a new segment starts at zero.
    template <class Visit>
    void run(double keys, Visit visit) const;
    Bound boundOf(std::size_t index, double keys, bool waited) const;
};

} // namespace heteroscape::engine
