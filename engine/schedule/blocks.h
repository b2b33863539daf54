// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/timing/step_cost.h"

#include <cstddef>
#include <vector>

namespace heteroscape::engine {

/// What works at the same time as others: the rows of a timeline.
enum class Lane { Compute, Memory, Network };
inline constexpr std::size_t kLaneCount = 3;
std::string_view laneName(Lane lane);  ///< "compute", "memory", "network"
std::string_view laneLabel(Lane lane); ///< "Compute", "Memory", "Network"

/// What a stretch of a lane is.
enum class Work { Operator, Read, Prefetch, AllReduce };
std::string_view workName(Work work); ///< "operator", "read", "prefetch", "allreduce"

/// One stretch of a lane, seconds from the start of its block.
struct ScheduleSegment {
    Lane lane = Lane::Compute;
    Work work = Work::Operator;
    std::size_t op = 0; ///< index into the graph
    double start = 0.0;
    double end = 0.0;
};

/// A part of a step that runs `repeat` times, blocks of one layer in turn: attention, FFN, attention, ...
/// Within a lane segments are in order and do not overlap; none ends after `seconds`.
struct ScheduleBlock {
    Segment segment = Segment::Attention;
    double repeat = 1.0;
    double seconds = 0.0;
    std::vector<ScheduleSegment> segments;
};

/// Seconds of one operator and its bound.
struct OperatorTime {
    double seconds = 0.0;
    Bound bound = Bound::None;
};

} // namespace heteroscape::engine
