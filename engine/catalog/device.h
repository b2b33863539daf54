// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

enum class Phase { Prefill, Decode };
inline constexpr std::size_t kPhaseCount = 2;

inline constexpr std::string_view phaseName(Phase phase) {
    return phase == Phase::Prefill ? "prefill" : "decode";
}

enum class DeviceKind { Gpu, Npu, Fpga, Cpu, Ssd, Csd, Switch };

std::span<const std::string_view> deviceKindNames(); ///< in the order of the enum
std::string_view deviceKindName(DeviceKind kind);    ///< "gpu", ...
std::string_view deviceKindLabel(DeviceKind kind);   ///< "GPU", ...
/// True for what can run operators of a model (GPU, NPU, FPGA).
bool isAccelerator(DeviceKind kind);
/// True for what only carries data (CPU host, switch): it may lack a price without hiding the system's.
bool isFabric(DeviceKind kind);
/// True for what keeps data (SSD, CSD).
bool isStorage(DeviceKind kind);

/// A catalogue entry. Quantities that are not set are unknown, never zero.
struct Device {
    std::string id;
    std::string name;
    DeviceKind kind = DeviceKind::Gpu;
    InternedText vendor;
    InternedText about;
    std::vector<std::string> ports; ///< ids of the link types it uses, best first: a new link starts with one
    std::vector<std::string> morePorts; ///< ids of further ones that it can use, where the user chooses them
    std::string runtime;                ///< id of the runtime that a freshly placed device gets; may be empty
    std::string kernels; ///< id of the measured GPU (presets/kernels/gpus.json) whose constants of kernels
                         ///< hold for it, whatever its own figures; empty: none

    Quantity peakFp16; ///< FLOP/s with FP16 inputs, dense
    Quantity peakInt8; ///< op/s with INT8 inputs, dense; a multiply-add counts 2
    // Of a GPU whose kernels were measured, unset: as that GPU has them (engine/timing/machine.h).
    Quantity peakFp8;      ///< FLOP/s with FP8 inputs, dense
    Quantity peakFp4;      ///< FLOP/s with FP4 inputs, dense
    Quantity sms;          ///< streaming multiprocessors, or other cores, that are enabled
    Quantity fp16PerClock; ///< dense FLOPs of one of them in a clock, by precision
    Quantity int8PerClock;
    Quantity fp8PerClock;
    Quantity fp4PerClock;
    Quantity expPerClock;     ///< exponentials of one of them in a clock: its special function units
    Quantity memoryCapacity;  ///< B
    Quantity memoryReported;  ///< of that, what the driver reports to software; unset: 1
    Quantity memoryBandwidth; ///< B/s
    Quantity memoryChannels;  ///< independent (pseudo-)channels
    Quantity l2Capacity;      ///< B, on-chip memory shared by all cores
    Quantity l2Bandwidth;     ///< B/s between that memory and the cores
    Quantity clock;           ///< Hz, of the accelerator's logic; of a GPU that at which peaks hold
    Quantity lanes;           ///< PCIe lanes of a host or switch
    Quantity powerPrefill;    ///< W while a prefill runs
    Quantity powerDecode;     ///< W while decoding
    Quantity powerIdle;       ///< W while waiting
    Quantity powerLimit;      ///< W
    // What it draws for what it does, beside what is stated (engine/timing/power.h). Unset: as its class.
    Quantity powerBusy;   ///< W while kernels run
    Quantity powerMemory; ///< J/B of its memory
    Quantity powerFlop16; ///< J/FLOP by the format that is multiplied
    Quantity powerFlop8;
    Quantity powerFlop4;
    Quantity powerUnpack; ///< J/B of weights that are unpacked before they are multiplied
    Quantity powerLink;   ///< J/B sent
    Quantity powerL2;     ///< J/B between L2 and the cores, where the timing sees it; unset: none
    Quantity powerHop;    ///< J of a collective or a send that it takes part in; unset: none
    Quantity powerCap;    ///< W, a limit that its user sets below its own; unset: none
    Quantity powerClock;  ///< share of the stock clock; unset: 1
    Quantity powerBand;   ///< 80 % of measured powers lie within 1 + it of the predicted, either way
    // Where it is timed by the rule of its class (engine/timing/built_in.h), what was measured of itself.
    Quantity classFactor;    ///< its steps over those of the rule; unset: its maker's
    Quantity classCompute16; ///< share of its peak in matrices; unset: that of the rule
    Quantity classCompute8;
    Quantity classMemory; ///< share of its memory bandwidth
    Quantity classBand;   ///< 80 % of measured times lie within 1 + it of the predicted; set: it was measured
    Quantity price;       ///< USD each
    Quantity rent;        ///< USD/s, by the hour, with the server around it
    Quantity dieArea;     ///< m2; unset: derived from cores and L2, see dieArea()
    Quantity coreThroughput;  ///< op/s of one core with INT8 inputs
    Quantity coreArea;        ///< m2 of one core
    Quantity corePower;       ///< W of one core at work
    Quantity l2AreaPerByte;   ///< m2/B
    Quantity hostMemory;      ///< B of a host's DRAM; its bandwidth is memoryBandwidth
    Quantity writeBandwidth;  ///< B/s of large writes to storage; reads: memoryBandwidth
    Quantity p2pBandwidth;    ///< B/s from a CSD's flash to its accelerator, for endless chunks
    Quantity p2pHalfChunk;    ///< B, the chunk at which that path reaches half its bandwidth
    Quantity kernelBandwidth; ///< B/s of KV cache that a CSD's attention kernel takes
    Quantity kernelPower;     ///< W of a CSD's accelerator, beside the power of its storage
    Quantity smallWrite;      ///< s, one synchronous write of less than a page
    Quantity pageSize;        ///< B, the unit in which storage writes

    bool operator==(const Device&) const = default;
};

std::span<const Field<Device>> deviceFields();

/// Cores on the die: INT8 peak over the INT8 peak of one core; NaN when either is not set.
/// Source: PRESERVE section 5, which builds accelerators of any peak from cores of one kind.
double coreCount(const Device& device);
/// m2: the die area where it is known, else cores x core area + L2 capacity x area per byte
/// (PRESERVE section 5, Table 2); NaN when neither is set.
double dieArea(const Device& device);
/// W while a phase runs, as stated: the measured power where it is known, else cores x core power (the cores
/// alone: memory, L2 and links are not in it); NaN when neither is set. A CSD's accelerator is added to its
/// storage. What follows from work instead: engine/timing/power.h.
double powerIn(Phase phase, const Device& device);
/// Whether what it does not state of its power follows from its class or its power limit: a GPU or NPU with
/// one.
bool powerFollowsLimit(const Device& device);
/// Whether what it draws follows from what it does: by that rule, or an accelerator that states energies of
/// operations (power_*_pj, power_hop_nj, power_busy_w). A power that it states for a phase goes first.
bool hasPowerModel(const Device& device);
// How these come about.
Term explainCores(const Device& device);
Term explainDieArea(const Device& device);
Term explainPower(Phase phase, const Device& device);

/// Strict JSON of presets/devices/*.json and of devices inside a design.
Device readDevice(const Json& json, const std::string& where);
Json writeDevice(const Device& device);

} // namespace heteroscape::engine
