// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/runtime.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 5> kTimingNames{"roofline", "launch_floor", "instruction_stream",
                                                       "l2_panel", "ascend910b_measured"};
constexpr std::array<std::string_view, 3> kStyleNames{"eager", "fused", "matrices"};
constexpr std::array<std::string_view, 5> kOffloadNames{"none", "weights", "host", "unified", "storage"};
constexpr std::array<std::string_view, 2> kAllReduceNames{"literal", "ring"};

const std::array<Field<Runtime>, 27> kFields{{
    {{"weight_bits", "Weights", "bit", 1, 1, 64, false, true, "Bits of a stored weight."},
     &Runtime::weightBits},
    {{"activation_bits", "Activations", "bit", 1, 1, 64, false, true, "Bits of an activation in memory."},
     &Runtime::activationBits},
    {{"kv_bits", "KV cache", "bit", 1, 1, 64, false, true, "Bits of a stored key or value element."},
     &Runtime::kvBits},
    {{"peak_compute_tops", "Peak of the accelerator", "TOP/s", units::tera, 1e-3, 1e6, false, false,
      "Peak of the accelerator built on the device, where it is below the device's own."},
     &Runtime::peakCompute},
    {{"launch_floor_ms", "Launch floor", "ms", units::milli, 0, 1e6, false, false,
      "The least time of one step: what launching its kernels takes."},
     &Runtime::launchFloor},
    {{"prefill_compute_efficiency", "Prefill, share of compute peak", "", 1, 1e-4, 1, false, true,
      "Share of the compute peak that a prefill reaches."},
     &Runtime::prefillComputeEfficiency},
    {{"prefill_memory_efficiency", "Prefill, share of memory peak", "", 1, 1e-4, 1, false, true,
      "Share of the memory bandwidth that a prefill reaches."},
     &Runtime::prefillMemoryEfficiency},
    {{"decode_compute_efficiency", "Decode, share of compute peak", "", 1, 1e-4, 1, false, true,
      "Share of the compute peak that decode can reach."},
     &Runtime::decodeComputeEfficiency},
    {{"decode_memory_efficiency", "Decode, share of memory peak", "", 1, 1e-4, 1, false, true,
      "Share of the memory bandwidth that decode (or one large burst) reaches."},
     &Runtime::decodeMemoryEfficiency},
    {{"load_issue_cycles", "Issue of one load", "cycles", 1, 0, 1e6, false, false,
      "Cycles to decode and issue one load instruction."},
     &Runtime::loadIssueCycles},
    {{"tile_bytes", "Weights of one MV instruction", "B", 1, 1, 1 << 30, false, false,
      "Weights that one matrix-vector instruction needs, on one memory channel."},
     &Runtime::tileBytes},
    {{"tile_metadata_bytes", "Meta-data of one MV instruction", "B", 1, 0, 1 << 30, false, false,
      "Scales and zero points for one tile, loaded separately."},
     &Runtime::tileMetadataBytes},
    {{"tile_compute_cycles", "Compute of one MV instruction", "cycles", 1, 0, 1e9, false, false,
      "Cycles to multiply one tile."},
     &Runtime::tileComputeCycles},
    {{"softmax_per_cycle", "Softmax elements a cycle", "", 1, 1e-3, 1e6, false, false,
      "Softmax elements that the special-function unit finishes in a cycle."},
     &Runtime::softmaxPerCycle},
    {{"layer_fixed_us", "Fixed time of a layer", "\u00b5s", units::micro, 0, 1e9, false, false,
      "Decode time of one layer that does not depend on its size."},
     &Runtime::layerFixed},
    {{"layer_missed_us", "Missed weights of a layer", "\u00b5s", units::micro, 0, 1e9, false, false,
      "Added when none of the layer's weights are hits in L2, and in proportion."},
     &Runtime::layerMissed},
    {{"layer_us_per_mb", "Time of a layer's weights", "\u00b5s/MB", units::micro / units::MB, 0, 1e9, false,
      false, "Decode time of one layer for each MB of weights on one device."},
     &Runtime::layerPerWeight},
    {{"kv_row_missed_ns", "KV row, missed", "ns", units::nano, 0, 1e9, false, false,
      "Time to read one row of a strided KV cache from memory."},
     &Runtime::kvRowMissed},
    {{"kv_row_hit_ns", "KV row, hit", "ns", units::nano, 0, 1e9, false, false,
      "Time to read one row of a strided KV cache from L2."},
     &Runtime::kvRowHit},
    {{"host_memory_share", "Usable host memory", "", 1, 1e-3, 1, false, false,
      "Share of the free host memory that can hold KV or X cache."},
     &Runtime::hostMemoryShare},
    {{"host_reserve_gb", "Host memory kept free", "GB", units::GB, 0, 1e6, false, false,
      "Host memory that the system and the software keep for themselves."},
     &Runtime::hostReserve},
    {{"device_reserve_gb", "Device memory kept free", "GB", units::GB, 0, 1e6, false, false,
      "Device memory that must stay free of weights, for activations."},
     &Runtime::deviceReserve},
    {{"staging_layers", "Staged layers", "", 1, 0, 1024, false, false,
      "Layers whose KV cache is staged in host memory at once."},
     &Runtime::stagingLayers},
    {{"host_memory_efficiency", "CPU attention, share of DRAM peak", "", 1, 1e-4, 1, false, false,
      "Share of the host's memory bandwidth that attention on the CPU reaches."},
     &Runtime::hostMemoryEfficiency},
    {{"transfer_limit_gbps", "Host to device, at most", "GB/s", units::giga, 1e-3, 1e6, false, false,
      "Bandwidth that the software's copies reach, where it is below the link's (pageable memory)."},
     &Runtime::transferLimit},
    {{"unified_memory_gbps", "Unified memory", "GB/s", units::giga, 1e-3, 1e6, false, false,
      "Bandwidth at which unified virtual memory pages in KV cache."},
     &Runtime::unifiedBandwidth},
    {{"weights_on_storage", "Weights on storage", "", 1, 0, 1, false, false,
      "Share of the weights that is kept on storage in any case; not set: none."},
     &Runtime::weightsOnStorage},
}};

void readShape(Runtime& runtime, JsonObject& object) {
    runtime.id = readId(object, "id");
    runtime.name = object.text("name");
    runtime.about = object.text("about", "");
    for (const auto& kind : readTexts(object, "devices"))
        runtime.kinds.push_back(
            static_cast<DeviceKind>(indexOfName(kind, deviceKindNames(), object.place("devices"))));
    if (runtime.kinds.empty())
        throwInvalid(object.place("devices"), "missing", "List the kinds of device that it runs on");
    runtime.prefillTiming = static_cast<TimingModel>(readName(object, "prefill_timing", kTimingNames));
    runtime.decodeTiming = static_cast<TimingModel>(readName(object, "decode_timing", kTimingNames));
    if (runtime.prefillTiming == TimingModel::InstructionStream)
        throwInvalid(object.place("prefill_timing"), "instruction_stream models single-token steps only",
                     "Use roofline or launch_floor");
    if (object.has("operators"))
        runtime.operators = static_cast<OperatorStyle>(readName(object, "operators", kStyleNames));
    if (object.has("allreduce"))
        runtime.allReduce = static_cast<AllReduceConvention>(readName(object, "allreduce", kAllReduceNames));
    runtime.mergesLoads = object.boolean("merges_loads", false);
    if (object.has("offload"))
        runtime.offload = static_cast<Offload>(readName(object, "offload", kOffloadNames));
    runtime.nearStorage = object.boolean("near_storage", false);
    runtime.holdsScores = object.boolean("holds_scores", false);
    readFields(runtime, runtimeFields(), object, readDefaultSource(object));
}

void checkComplete(const Runtime& runtime, const std::string& where) {
    const auto need = [&](const Figure& figure, std::string_view key, std::string_view timing) {
        if (!figure.isSet())
            throwInvalid(where + "." + std::string(key), "missing",
                         "The timing model " + std::string(timing) + " needs it");
    };
    if (runtime.prefillTiming == TimingModel::LaunchFloor || runtime.decodeTiming == TimingModel::LaunchFloor)
        need(runtime.launchFloor, "launch_floor_ms", "launch_floor");
    if (runtime.decodeTiming == TimingModel::InstructionStream) {
        need(runtime.loadIssueCycles, "load_issue_cycles", "instruction_stream");
        need(runtime.tileBytes, "tile_bytes", "instruction_stream");
        need(runtime.tileMetadataBytes, "tile_metadata_bytes", "instruction_stream");
        need(runtime.tileComputeCycles, "tile_compute_cycles", "instruction_stream");
        need(runtime.softmaxPerCycle, "softmax_per_cycle", "instruction_stream");
    }
    const bool measured = runtime.prefillTiming == TimingModel::Ascend910bMeasured ||
                          runtime.decodeTiming == TimingModel::Ascend910bMeasured;
    if (measured) {
        need(runtime.layerFixed, "layer_fixed_us", "ascend910b_measured");
        need(runtime.layerMissed, "layer_missed_us", "ascend910b_measured");
        need(runtime.layerPerWeight, "layer_us_per_mb", "ascend910b_measured");
        need(runtime.kvRowMissed, "kv_row_missed_ns", "ascend910b_measured");
        need(runtime.kvRowHit, "kv_row_hit_ns", "ascend910b_measured");
    }
    if (runtime.offload != Offload::None) {
        need(runtime.hostMemoryShare, "host_memory_share", "of offloading");
        need(runtime.hostReserve, "host_reserve_gb", "of offloading");
        need(runtime.deviceReserve, "device_reserve_gb", "of offloading");
        need(runtime.stagingLayers, "staging_layers", "of offloading");
        need(runtime.hostMemoryEfficiency, "host_memory_efficiency", "of offloading");
    }
    if (runtime.offload == Offload::Unified)
        need(runtime.unifiedBandwidth, "unified_memory_gbps", "of unified memory");
    if (runtime.nearStorage && runtime.offload != Offload::Storage)
        throwInvalid(where + ".near_storage", "attention near storage needs a KV cache on storage",
                     "Write \"offload\": \"storage\"");
    const bool l2 = seesL2(runtime.prefillTiming) || seesL2(runtime.decodeTiming);
    if (l2 && runtime.operators != OperatorStyle::Fused)
        throwInvalid(where + ".operators", "l2_panel and ascend910b_measured time fused operators",
                     "Write \"operators\": \"fused\"");
    if (l2 && runtime.offload != Offload::None)
        throwInvalid(where + ".offload", "l2_panel and ascend910b_measured do not offload",
                     "Use roofline, launch_floor or instruction_stream");
}

} // namespace

std::string_view timingModelName(TimingModel model) {
    return kTimingNames[static_cast<std::size_t>(model)];
}

bool seesL2(TimingModel model) {
    return model == TimingModel::L2Panel || model == TimingModel::Ascend910bMeasured;
}

std::span<const std::string_view> operatorStyleNames() {
    return kStyleNames;
}

std::span<const std::string_view> allReduceConventionNames() {
    return kAllReduceNames;
}

std::span<const std::string_view> offloadNames() {
    return kOffloadNames;
}

std::span<const Field<Runtime>> runtimeFields() {
    return kFields;
}

bool runsOn(const Runtime& runtime, DeviceKind kind) {
    return std::find(runtime.kinds.begin(), runtime.kinds.end(), kind) != runtime.kinds.end();
}

Runtime RuntimeEntry::on(const Device& device) const {
    Runtime runtime = base;
    if (const auto it = calibrations.find(device.id); it != calibrations.end())
        for (const auto& [key, figure] : it->second)
            runtime.*findField(runtimeFields(), key)->member = figure;
    return runtime;
}

RuntimeEntry readRuntimeEntry(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    RuntimeEntry entry;
    readShape(entry.base, object);
    checkComplete(entry.base, where);
    if (object.has("calibrations")) {
        auto byDevice = object.object("calibrations");
        for (const auto& [device, figures] : json.at("calibrations").items()) {
            checkId(device, byDevice.where());
            JsonObject one(figures, byDevice.place(device));
            const auto defaults = readDefaultSource(one);
            for (const auto& field : runtimeFields())
                if (const auto* figure = one.find(field.spec.key))
                    entry.calibrations[device][std::string(field.spec.key)] =
                        readFigure(field.spec, *figure, one.place(field.spec.key), defaults);
            one.finish();
        }
    }
    object.finish();
    return entry;
}

Runtime readRuntime(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Runtime runtime;
    readShape(runtime, object);
    object.finish();
    checkComplete(runtime, where);
    return runtime;
}

Json writeRuntime(const Runtime& runtime) {
    Json kinds = Json::array();
    for (const auto kind : runtime.kinds)
        kinds.push_back(deviceKindName(kind));
    Json json = {{"id", runtime.id},
                 {"name", runtime.name},
                 {"devices", kinds},
                 {"prefill_timing", timingModelName(runtime.prefillTiming)},
                 {"decode_timing", timingModelName(runtime.decodeTiming)},
                 {"operators", kStyleNames[static_cast<std::size_t>(runtime.operators)]},
                 {"allreduce", kAllReduceNames[static_cast<std::size_t>(runtime.allReduce)]}};
    writeText(json, "about", runtime.about);
    if (runtime.mergesLoads)
        json["merges_loads"] = true;
    if (runtime.offload != Offload::None)
        json["offload"] = kOffloadNames[static_cast<std::size_t>(runtime.offload)];
    if (runtime.nearStorage)
        json["near_storage"] = true;
    if (runtime.holdsScores)
        json["holds_scores"] = true;
    writeFields(runtime, runtimeFields(), json);
    return json;
}

} // namespace heteroscape::engine
