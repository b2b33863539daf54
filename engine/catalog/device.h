// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

enum class DeviceKind { Gpu, Npu, Fpga, Cpu, Ssd, Csd, Switch };

std::span<const std::string_view> deviceKindNames(); ///< in the order of the enum
std::string_view deviceKindName(DeviceKind kind);    ///< "gpu", ...
std::string_view deviceKindLabel(DeviceKind kind);   ///< "GPU", ...
/// True for what can run operators of a model (GPU, NPU, FPGA).
bool isAccelerator(DeviceKind kind);
/// True for what only carries data (CPU host, switch): it may lack a price without hiding the system's.
bool isFabric(DeviceKind kind);

/// A catalogue entry. Figures that are not set are unknown, never zero.
struct Device {
    std::string id;
    std::string name;
    DeviceKind kind = DeviceKind::Gpu;
    std::string vendor;
    std::string about;
    std::vector<std::string> ports; ///< ids of the link types it can use, best first
    std::string runtime;            ///< id of the runtime that a freshly placed device gets; may be empty

    Figure peakFp16;        ///< FLOP/s with FP16 inputs, dense
    Figure peakInt8;        ///< op/s with INT8 inputs, dense; a multiply-add counts 2
    Figure memoryCapacity;  ///< B
    Figure memoryBandwidth; ///< B/s
    Figure memoryChannels;  ///< independent (pseudo-)channels
    Figure clock;           ///< Hz, of the accelerator's logic
    Figure lanes;           ///< PCIe lanes of a host or switch
    Figure powerPrefill;    ///< W while a prefill runs
    Figure powerDecode;     ///< W while decoding
    Figure powerIdle;       ///< W while waiting
    Figure powerLimit;      ///< W
    Figure price;           ///< USD each
    Figure dieArea;         ///< m2

    bool operator==(const Device&) const = default;
};

std::span<const Field<Device>> deviceFields();

/// Strict JSON of presets/devices/*.json and of devices inside a design.
Device readDevice(const Json& json, const std::string& where);
Json writeDevice(const Device& device);

} // namespace heteroscape::engine
