// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_quantities.h"

namespace heteroscape::widgets {

using engine::DeviceKind;

QuantityGroup quantityGroup(std::string_view key) {
    if (key.starts_with("memory_") || key == "host_memory_gib" || key == "write_bandwidth_gbps" ||
        key == "small_write_ms" || key == "page_bytes")
        return QuantityGroup::Memory;
    if (key.starts_with("die_") || key.starts_with("core_") || key.starts_with("l2_area_"))
        return QuantityGroup::Die;
    if (key.starts_with("l2_"))
        return QuantityGroup::L2;
    if (key.starts_with("power_") || key.starts_with("price_") || key == "kernel_power_w")
        return QuantityGroup::Cost;
    return QuantityGroup::Compute;
}

namespace {

bool isOfCsd(std::string_view key) {
    return key.starts_with("p2p_") || key.starts_with("kernel_");
}

bool isOfStorage(std::string_view key) {
    return key == "write_bandwidth_gbps" || key == "small_write_ms" || key == "page_bytes";
}

} // namespace

bool quantityMatters(std::string_view key, DeviceKind kind) {
    if (key == "price_usd")
        return true;
    const bool working = key == "power_prefill_w" || key == "power_decode_w" || key == "power_idle_w";
    switch (kind) {
    case DeviceKind::Switch:
        return key == "lanes";
    case DeviceKind::Cpu:
        return key == "lanes" || key == "host_memory_gib" || key == "memory_bandwidth_gbps" || working;
    case DeviceKind::Csd:
        if (isOfCsd(key))
            return true;
        [[fallthrough]];
    case DeviceKind::Ssd:
        return isOfStorage(key) || key == "memory_gb" || key == "memory_bandwidth_gbps" || working;
    default:
        break;
    }
    if (isOfCsd(key) || isOfStorage(key) || key == "host_memory_gib")
        return false;
    if (key == "sms" || key.ends_with("_per_clock") || key == "peak_fp8_tflops" || key == "peak_fp4_tflops")
        return kind == DeviceKind::Gpu;
    if (key == "clock_mhz")
        return kind == DeviceKind::Fpga || kind == DeviceKind::Gpu;
    if (key == "memory_channels")
        return kind == DeviceKind::Fpga;
    if (key.starts_with("core_") || key.starts_with("l2_area_"))
        return kind == DeviceKind::Npu;
    if (key.starts_with("l2_"))
        return kind != DeviceKind::Fpga;
    return key != "lanes";
}

} // namespace heteroscape::widgets
