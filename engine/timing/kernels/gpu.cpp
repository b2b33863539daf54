// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/gpu.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/timing/kernels/constants_table.h"

#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, kRates> kRateNames{"bf16", "fp8", "fp4"},
    kRateLabels{"BF16", "FP8", "FP4"};

} // namespace

std::string_view rateName(Rate rate) {
    return kRateNames[static_cast<std::size_t>(rate)];
}

std::string_view rateLabel(Rate rate) {
    return kRateLabels[static_cast<std::size_t>(rate)];
}

Rate readRate(JsonObject& object, std::string_view key) {
    return static_cast<Rate>(readName(object, key, kRateNames));
}

Architecture readArchitecture(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Architecture architecture;
    architecture.id = readId(object, "arch");
    architecture.name = readRowName(object, "name");
    for (const auto& name : readTexts(object, "native"))
        architecture.native[indexOfName(name, kRateNames, object.place("native"))] = true;
    architecture.standIns = readTexts(object, "stand_ins");
    object.finish();
    return architecture;
}

GpuFigures GpuFigures::withSms(double count, double clock) const {
    GpuFigures changed = *this;
    const double ratio = count / sms * (clock / clockGhz);
    for (auto& peak : changed.tflops)
        peak *= ratio;
    changed.sms = count;
    changed.clockGhz = clock;
    return changed;
}

Gpu readGpu(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Gpu gpu;
    gpu.id = readId(object, "id");
    gpu.arch = readId(object, "arch");
    gpu.link = readId(object, "link");
    auto& figures = gpu.figures;
    figures.sms = readConstant(object, "sms", 1, 1e5);
    const double flopClk = readConstant(object, "flop_clk", 1, 1e7); // dense bf16 FLOPs per clock and SM
    figures.tflops[0] = readConstant(object, "tflops_bf16", 1e-3, 1e7);
    if (object.has("tflops_fp8"))
        figures.tflops[1] = readConstant(object, "tflops_fp8", 1e-3, 1e7);
    if (object.has("tflops_fp4"))
        figures.tflops[2] = readConstant(object, "tflops_fp4", 1e-3, 1e7);
    figures.clockGhz = figures.tflops[0] * 1e3 / (figures.sms * flopClk);
    figures.hbmTbs = readConstant(object, "hbm_tbs", 1e-4, 1e4);
    figures.l2Mb = readConstant(object, "l2_mb", 1e-3, 1e6);
    figures.mufuClk = readConstant(object, "mufu_clk", 1e-3, 1e6);
    figures.linkGbs = readConstant(object, "link_gbs", 1e-3, 1e6);
    figures.networkGbs = readConstant(object, "network_gbs", 1e-3, 1e6);
    gpu.perNode = readConstant(object, "node_gpus", 1, 1e5);
    object.finish();
    return gpu;
}

} // namespace heteroscape::engine
