// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How a step's time follows from its operators; each has a header in engine/timing/.
enum class TimingModel { Roofline, LaunchFloor, InstructionStream, L2Panel, Ascend910bMeasured };

std::string_view timingModelName(TimingModel model); ///< "roofline", ...

/// True for timing models that know which operands lie in L2, and so gain from prefetching them.
bool seesL2(TimingModel model);

/// The operators that the software runs. Eager: one kernel for each operator of the framework (Hugging Face
/// eager mode). Fused: attention in one kernel, norm with residual, activation with multiply (PRESERVE).
/// Matrices: the matrix products of the layers alone (INF2).
enum class OperatorStyle { Eager, Fused, Matrices };
std::span<const std::string_view> operatorStyleNames(); ///< "eager", "fused", "matrices"

/// How long the payload of an allreduce occupies the network: literal counts it once, ring 2 (n - 1) / n
/// times.
enum class AllReduceConvention { Literal, Ring };
std::span<const std::string_view> allReduceConventionNames(); ///< "literal", "ring"

/// What leaves the accelerator's memory, and where the KV cache then lives.
enum class Offload {
    None,    ///< nothing: weights and KV cache on the device
    Weights, ///< weights move to the host when they and the KV cache do not both fit; KV on the device
    Host,    ///< KV cache in host memory, all of it, read by the CPU's attention
    Unified, ///< the part of the KV cache that host memory does not take is paged in from storage
    Storage  ///< that part is read from storage
};
std::span<const std::string_view> offloadNames(); ///< "none", "weights", "host", "unified", "storage"

/// The software (or bitstream) that a node runs: precisions, efficiencies, overheads.
struct Runtime {
    std::string id;
    std::string name;
    std::string about;
    std::vector<DeviceKind> kinds; ///< devices it can run on
    TimingModel prefillTiming = TimingModel::Roofline;
    TimingModel decodeTiming = TimingModel::Roofline;
    OperatorStyle operators = OperatorStyle::Eager;
    AllReduceConvention allReduce = AllReduceConvention::Ring;
    bool mergesLoads = false; ///< its load instructions may fetch for several compute instructions
    Offload offload = Offload::None;
    bool nearStorage = false; ///< its attention may run in the CSDs that hold the KV cache
    bool holdsScores = false; ///< keeps a prefill's whole score matrix of a layer on the device

    Figure weightBits;     ///< bits of a stored weight
    Figure activationBits; ///< bits of an activation in memory
    Figure kvBits;         ///< bits of a stored K or V element
    Figure peakCompute;    ///< op/s of the accelerator built on an FPGA; unset: the device's own peak
    Figure launchFloor;    ///< s, the least time of one step
    Figure prefillComputeEfficiency; ///< share of the compute peak reached in prefill
    Figure prefillMemoryEfficiency;  ///< share of the memory peak reached in prefill
    Figure decodeComputeEfficiency;
    Figure decodeMemoryEfficiency; ///< for instruction_stream: of large bursts
    Figure loadIssueCycles;        ///< cycles to decode and issue one load instruction
    Figure tileBytes;              ///< B of weights that one MV instruction needs on one channel
    Figure tileMetadataBytes;      ///< B of quantisation meta-data for one tile
    Figure tileComputeCycles;      ///< cycles of one MV instruction on one tile
    Figure softmaxPerCycle;        ///< softmax elements a cycle
    // ascend910b_measured, one decoder layer of a decode step:
    Figure layerFixed;     ///< s, whatever the layer's size
    Figure layerMissed;    ///< s more when none of the weights are hits in L2
    Figure layerPerWeight; ///< s/B of weights on one device
    Figure kvRowMissed;    ///< s to read one row (128 B) of a strided KV cache from memory
    Figure kvRowHit;       ///< s to read it from L2
    // offloading, see engine/timing/memory_plan.h:
    Figure hostMemoryShare;      ///< share of free host memory that holds KV or X cache
    Figure hostReserve;          ///< B of host memory for the system
    Figure deviceReserve;        ///< B of device memory that weights leave free
    Figure stagingLayers;        ///< layers whose KV cache is staged in host memory
    Figure hostMemoryEfficiency; ///< share of the host's DRAM bandwidth that the CPU's attention reaches
    Figure transferLimit;        ///< B/s between host and device that the software reaches; unset: the link's
    Figure unifiedBandwidth;     ///< B/s of KV cache paged in (Offload::Unified)
    Figure weightsOnStorage;     ///< share of the weights that is kept on storage in any case; unset: 0

    bool operator==(const Runtime&) const = default;
};

std::span<const Field<Runtime>> runtimeFields();

bool runsOn(const Runtime& runtime, DeviceKind kind);

/// A runtime of the catalogue together with what was calibrated for single devices.
struct RuntimeEntry {
    Runtime base;
    std::map<std::string, std::map<std::string, Figure>> calibrations; ///< device id -> field key -> figure

    /// The runtime as it behaves on this device.
    Runtime on(const Device& device) const;
};

RuntimeEntry readRuntimeEntry(const Json& json, const std::string& where);
Runtime readRuntime(const Json& json, const std::string& where); ///< as found inside a design
Json writeRuntime(const Runtime& runtime);

} // namespace heteroscape::engine
