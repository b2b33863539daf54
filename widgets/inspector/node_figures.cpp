// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_figures.h"

namespace heteroscape::widgets {

using engine::DeviceKind;
using engine::TimingModel;

FigureGroup figureGroup(std::string_view key) {
    if (key.starts_with("memory_"))
        return FigureGroup::Memory;
    if (key.starts_with("die_") || key.starts_with("core_") || key.starts_with("l2_area_"))
        return FigureGroup::Die;
    if (key.starts_with("l2_"))
        return FigureGroup::L2;
    if (key.starts_with("power_") || key.starts_with("price_"))
        return FigureGroup::Cost;
    return FigureGroup::Compute;
}

bool figureMatters(std::string_view key, DeviceKind kind) {
    if (key == "price_usd" || key == "power_limit_w")
        return true;
    if (!engine::isAccelerator(kind))
        return key == "lanes";
    if (key == "clock_mhz" || key == "memory_channels")
        return kind == DeviceKind::Fpga;
    if (key.starts_with("core_") || key.starts_with("l2_area_"))
        return kind == DeviceKind::Npu;
    if (key.starts_with("l2_"))
        return kind != DeviceKind::Fpga;
    return key != "lanes";
}

bool figureMatters(std::string_view key, const engine::Runtime& runtime, DeviceKind kind) {
    const auto runs = [&](TimingModel model) {
        return runtime.prefillTiming == model || runtime.decodeTiming == model;
    };
    if (key == "launch_floor_ms")
        return runs(TimingModel::LaunchFloor);
    if (key == "peak_compute_tops")
        return kind == DeviceKind::Fpga;
    if (key.starts_with("layer_") || key.starts_with("kv_row_"))
        return runs(TimingModel::Ascend910bMeasured);
    return runs(TimingModel::InstructionStream);
}

} // namespace heteroscape::widgets
