// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/timing/step_cost.h"

#include <cstddef>
#include <vector>

namespace heteroscape::engine {

/// What works at the same time as others: the rows of a timeline.
/// Compute, Memory: of the accelerator. Pcie: between it and its host. Host: the CPU's attention. Uplink:
/// what crosses to storage and back for attention. Storage, StorageWrite: reads and writes of SSDs and CSDs.
/// Csd: their attention kernels. Ffn: the devices of another node that work off the feed-forward networks;
/// ToFfn, FromFfn: the two ways of the links to them. Power: what the accelerator draws.
enum class Lane {
    Compute,
    Memory,
    Network,
    Pcie,
    Host,
    Uplink,
    Csd,
    Storage,
    StorageWrite,
    ToFfn,
    Ffn,
    FromFfn,
    Power
};
inline constexpr std::size_t kLaneCount = 13;
std::string_view laneName(Lane lane);  ///< "compute", "memory", "network", "pcie", ...
std::string_view laneLabel(Lane lane); ///< "Compute", "Memory", "Network", "PCIe", ...

/// What a stretch of a lane is.
enum class Work {
    Operator,
    Read,
    Prefetch,
    AllReduce,
    Collective,           ///< of the devices, other than an allreduce: dispatch to experts, gathers, sends
    WeightTransfer,       ///< offloaded weights to the device
    KvRead,               ///< KV cache from storage to the host
    KvWrite,              ///< new K and V to storage
    HostAttention,        ///< attention on the CPU
    NearStorageAttention, ///< attention in the CSDs
    QkvTransfer,          ///< queries, new K and V to the CSDs, results back
    XTransfer,            ///< X cache from the host to the device
    Regenerate,           ///< K and V made from X, and attention to them, on the device
    DeviceAttention,      ///< attention on the device of an offloading runtime
    FfnElsewhere,         ///< feed-forward networks on the devices of another node
    Activations,          ///< of a microbatch, to those devices or back
    Shares,               ///< of a step, what is no whole layer: guesses, kinds of layers that are mixed
    Pipeline,             ///< what a step takes beyond one part of its batch: the other parts
    Draft,                ///< a guess by a model of its own
    Microbatch,           ///< a part of the batch in one stage of a pipeline
    Waiting,              ///< of a stage, for its next part of the batch
    Host,                 ///< what host, launches and other fixed times add to a step: the accelerator waits
    Power                 ///< drawn meanwhile
};
inline constexpr std::size_t kWorkCount = 23;
std::string_view workName(Work work); ///< "operator", "read", "prefetch", "allreduce", "weight_transfer", ...
std::string_view workLabel(Work work); ///< "Operator", ..., "Weights", "KV cache read", ...
/// What an operator is on its lane: Operator, AllReduce, Collective.
Work workOf(const Operator& op);
/// True for work of devices together: its bytes are those that a device sends.
inline bool isSent(Work work) {
    return work == Work::AllReduce || work == Work::Collective;
}
/// True for work that no operator of the graph stands for: it is shown by its own name.
bool isFlow(Work work);

/// Seconds of one operator and its bound.
struct OperatorTime {
    double seconds = 0.0;
    Bound bound = Bound::None;
};

/// One stretch of a lane, seconds from the start of its block.
struct ScheduleSegment {
    Lane lane = Lane::Compute;
    Work work = Work::Operator;
    std::size_t op = 0; ///< index into the graph
    double start = 0.0;
    double end = 0.0;
    double bytes = 0.0; ///< of a flow
    Bound bound = Bound::None;
};

/// A part of a step that runs `repeat` times, blocks of one layer in turn: attention, FFN, attention, ...
/// Within a lane segments are in order and do not overlap; none ends after `seconds`.
struct ScheduleBlock {
    Segment segment = Segment::Attention;
    double repeat = 1.0;
    double seconds = 0.0;
    std::vector<ScheduleSegment> segments;

    /// Runs an operator, the index-th of its graph, after what is there; its time is that of all repeats.
    void append(const Operator& op, std::size_t index, const OperatorTime& time);
};

} // namespace heteroscape::engine
