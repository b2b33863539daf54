// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How a step's time follows from its operators; each has a header in engine/timing/.
enum class TimingModel { Roofline, LaunchFloor, InstructionStream };

std::string_view timingModelName(TimingModel model); ///< "roofline", ...

/// The software (or bitstream) that a node runs: precisions, efficiencies, overheads.
struct Runtime {
    std::string id;
    std::string name;
    std::string about;
    std::vector<DeviceKind> kinds; ///< devices it can run on
    TimingModel prefillTiming = TimingModel::Roofline;
    TimingModel decodeTiming = TimingModel::Roofline;
    bool mergesLoads = false; ///< its load instructions may fetch for several compute instructions

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
