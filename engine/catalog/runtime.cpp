// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/runtime.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

namespace heteroscape::engine {

std::string MeasuredFor::text() const {
    return model + ", batch " + plainText(batch) + ", contexts of " + plainText(shortest) + " to " +
           plainText(longest) + " tokens, " + plainText(devices) + " x " + device;
}

MeasuredFor readMeasuredFor(JsonObject object) {
    constexpr long long kMost = 1LL << 24;
    MeasuredFor measured;
    measured.model = readId(object, "model");
    measured.device = readId(object, "device");
    measured.devices = static_cast<double>(object.integer("devices", 1, kMost));
    measured.batch = static_cast<double>(object.integer("batch", 1, kMost));
    const auto& range = object.array("context_tokens");
    const auto place = object.place("context_tokens");
    if (range.size() != 2 || !range[0].is_number_integer() || !range[1].is_number_integer() ||
        range[0].get<double>() < 1.0 || range[1].get<double>() < range[0].get<double>())
        throwInvalid(place, "not a range", "Give the fewest and the most tokens, as in [1000, 1100]");
    measured.shortest = range[0].get<double>();
    measured.longest = range[1].get<double>();
    object.finish();
    return measured;
}

Json writeMeasuredFor(const MeasuredFor& measured) {
    return {{"model", measured.model},
            {"device", measured.device},
            {"devices", static_cast<long long>(measured.devices)},
            {"batch", static_cast<long long>(measured.batch)},
            {"context_tokens",
             {static_cast<long long>(measured.shortest), static_cast<long long>(measured.longest)}}};
}

namespace {

constexpr std::array<std::string_view, 3> kStyleNames{"eager", "fused", "matrices"};
constexpr std::array<std::string_view, 4> kAllReduceNames{"literal", "ring", "tree", "flat_ring"};

const std::array<Field<Runtime>, 4> kRuntimeFields{{
    {{"weight_bits", "Weights", "bit", 1, 1, 64, false, true, "Precision of the stored weights."},
     &Runtime::weightBits},
    {{"activation_bits", "Activations", "bit", 1, 1, 64, false, true,
      "Precision of the activations in memory."},
     &Runtime::activationBits},
    {{"kv_bits", "KV cache", "bit", 1, 1, 64, false, true, "Precision of the stored keys and values."},
     &Runtime::kvBits},
    {{"peak_compute_tops", "Peak of the accelerator", "TOP/s", units::tera, 1e-3, 1e6, false, false,
      "Peak of the accelerator built on the device, where it is below the device's own."},
     &Runtime::peakCompute},
}};

constexpr std::string_view kTiming = "timing"; // and the first step of the paths below it
constexpr std::string_view kOffload = "offload";

std::string pathOf(const CostKind& kind) {
    return "runtime." + std::string(kind.id());
}

std::string pathOf(Phase phase) {
    return std::string(kTiming) + "." + std::string(phaseName(phase));
}

void readTiming(Timing& timing, Phase phase, JsonObject& phases, const Quantity& defaults) {
    auto object = phases.object(phaseName(phase));
    const auto& kind = timingKinds().at(object.text("model"), object.place("model"));
    if (!kind.times(phase))
        throwInvalid(object.place("model"),
                     std::string(kind.id()) + " does not time a " + std::string(phaseName(phase)),
                     "Use roofline or launch_floor");
    timing = Timing(kind);
    readSettings(kind, timing.settings, object, defaults);
    object.finish();
}

void readOffload(Offload& offload, JsonObject object, const Quantity& defaults) {
    const auto& kind = offloadKinds().at(object.text("kind"), object.place("kind"));
    offload = Offload(kind);
    readSettings(kind, offload.settings, object, defaults);
    object.finish();
}

void readShape(Runtime& runtime, JsonObject& object) {
    runtime.id = readId(object, "id");
    runtime.name = object.text("name");
    runtime.about = object.text("about", "");
    for (const auto& kind : readTexts(object, "devices"))
        runtime.kinds.push_back(
            static_cast<DeviceKind>(indexOfName(kind, deviceKindNames(), object.place("devices"))));
    if (runtime.kinds.empty())
        throwInvalid(object.place("devices"), "missing", "List the kinds of device that it runs on");
    const auto defaults = readDefaultSource(object);
    auto phases = object.object(kTiming);
    readTiming(runtime.prefill, Phase::Prefill, phases, defaults);
    readTiming(runtime.decode, Phase::Decode, phases, defaults);
    phases.finish();
    if (object.has("operators"))
        runtime.operators = static_cast<OperatorStyle>(readName(object, "operators", kStyleNames));
    if (object.has("allreduce"))
        runtime.allReduce = static_cast<AllReduceConvention>(readName(object, "allreduce", kAllReduceNames));
    runtime.mergesLoads = object.boolean("merges_loads", false);
    if (object.has(kOffload))
        readOffload(runtime.offload, object.object(kOffload), defaults);
    for (const auto* kind : costKinds().all())
        if (object.has(kind->id())) {
            auto added = object.object(kind->id());
            readSettings(*kind, runtime.costs[*kind], added, defaults);
            added.finish();
        }
    runtime.nearStorage = object.boolean("near_storage", false);
    runtime.holdsScores = object.boolean("holds_scores", false);
    if (object.has("measured_for"))
        runtime.measuredFor = readMeasuredFor(object.object("measured_for"));
    if (object.has("kernel_constants"))
        runtime.ownKernels = OwnKernels(readKernelConstants(object.object("kernel_constants")));
    readFields(runtime, runtimeFields(), object, defaults);
}

void checkComplete(const Runtime& runtime, const std::string& where) {
    if (runtime.nearStorage &&
        !(runtime.offload && runtime.offload.rules().readsStorage && !runtime.offload.rules().pages))
        throwInvalid(where + ".near_storage", "attention near storage needs a KV cache on storage",
                     "Write \"offload\": {\"kind\": \"storage\", ...}");
    if (runtime.measuredFor && !runtime.decode.kind->takesMeasuredSteps())
        throwInvalid(where + ".measured_for",
                     std::string(runtime.decode.kind->id()) + " does not take a step that was measured whole",
                     "Time decode by launch_floor, or leave it out");
    if (runtime.ownKernels && !runtime.prefill.kind->takesKernelConstants() &&
        !runtime.decode.kind->takesKernelConstants())
        throwInvalid(where + ".kernel_constants",
                     std::string(runtime.decode.kind->id()) + " does not time with constants of kernels",
                     "Time a phase by gpu_kernels_trtllm or another model of kernels, or leave them out");
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        if (const auto refusal = runtime.timing(phase).kind->refusal(runtime))
            throwInvalid(where + "." + std::string(refusal->key), refusal->message, refusal->remedy);
}

/// Reads quantities that are calibrated for one device, as members of `object` laid out as in a runtime.
void readCalibration(const Runtime& base, JsonObject& object, std::map<std::string, Quantity>& out) {
    const auto defaults = readDefaultSource(object);
    const auto read = [&](JsonObject& from, const FieldSpec& spec, const std::string& path) {
        if (const auto* quantity = from.find(spec.key))
            out[path] = readQuantity(spec, *quantity, from.place(spec.key), defaults);
    };
    const auto readKind = [&](JsonObject from, const Kind& kind, const std::string& path) {
        for (const auto& parameter : kind.parameters())
            read(from, parameter.spec, path + "." + std::string(parameter.spec.key));
        from.finish();
    };
    for (const auto& field : runtimeFields())
        read(object, field.spec, "runtime." + std::string(field.spec.key));
    for (const auto* kind : costKinds().all())
        if (object.has(kind->id()))
            readKind(object.object(kind->id()), *kind, pathOf(*kind));
    if (object.has(kTiming)) {
        auto phases = object.object(kTiming);
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (phases.has(phaseName(phase)))
                readKind(phases.object(phaseName(phase)), *base.timing(phase).kind, pathOf(phase));
        phases.finish();
    }
    if (base.offload && object.has(kOffload))
        readKind(object.object(kOffload), *base.offload.kind, std::string(kOffload));
    object.finish();
}

} // namespace

std::span<const std::string_view> operatorStyleNames() {
    return kStyleNames;
}

std::span<const std::string_view> allReduceConventionNames() {
    return kAllReduceNames;
}

std::span<const Field<Runtime>> runtimeFields() {
    return kRuntimeFields;
}

double CostKind::timesOfOperator(std::size_t, const Operator&) const {
    return 0.0;
}

double CostKind::timesOfStep(std::size_t, const StepSize&) const {
    return 0.0;
}

Costs::Costs() {
    for (const auto* kind : costKinds().all())
        m_all.emplace_back(*kind);
}

Costs::operator bool() const {
    bool any = false;
    forEachSet([&](const CostKind&, std::size_t, const Quantity&) { any = true; });
    return any;
}

bool runsOn(const Runtime& runtime, DeviceKind kind) {
    return std::find(runtime.kinds.begin(), runtime.kinds.end(), kind) != runtime.kinds.end();
}

bool isIdeal(const Runtime& runtime) {
    const auto reaches = [&](Phase phase, std::string_view share) {
        const auto& timing = runtime.timing(phase);
        const int index = timing.kind->indexOf(share);
        return index >= 0 && timing.settings[static_cast<std::size_t>(index)] == 1.0;
    };
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        for (const auto* share : {"compute_efficiency", "memory_efficiency"})
            if (!reaches(phase, share))
                return false;
    return !runtime.costs;
}

namespace {

template <class Reference, class R>
std::vector<Reference> quantitiesOf(R& runtime) {
    std::vector<Reference> quantities;
    for (const auto& field : runtimeFields())
        quantities.push_back(
            {"runtime." + std::string(field.spec.key), field.spec, &(runtime.*field.member)});
    const auto add = [&](const std::string& path, const FieldSpec& spec, auto& quantity) {
        quantities.push_back({path + "." + std::string(spec.key), spec, &quantity});
    };
    for (const auto* kind : costKinds().all())
        for (std::size_t i = 0; i < runtime.costs[*kind].size(); ++i)
            add(pathOf(*kind), kind->parameters()[i].spec, runtime.costs[*kind].quantity(i));
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        auto& timing = runtime.timing(phase);
        for (std::size_t i = 0; i < timing.settings.size(); ++i)
            add(pathOf(phase), timingSpec(phase, timing.kind->parameters()[i]), timing.settings.quantity(i));
    }
    for (std::size_t i = 0; i < runtime.offload.settings.size(); ++i)
        add(std::string(kOffload), runtime.offload.kind->parameters()[i].spec,
            runtime.offload.settings.quantity(i));
    return quantities;
}

} // namespace

FieldSpec timingSpec(Phase phase, const KindParameter& parameter) {
    // Specs hold views: the words that are made here are kept, one for each phase and parameter.
    static std::mutex mutex;
    static std::set<std::string, std::less<>> kept;
    auto spec = parameter.spec;
    auto label = (phase == Phase::Prefill ? "Prefill: " : "Decode: ") + labelWithin(spec.label);
    const std::scoped_lock lock(mutex);
    spec.label = *kept.insert(std::move(label)).first;
    return spec;
}

std::vector<RuntimeQuantity> runtimeQuantities(Runtime& runtime) {
    return quantitiesOf<RuntimeQuantity>(runtime);
}

std::vector<ConstRuntimeQuantity> runtimeQuantities(const Runtime& runtime) {
    return quantitiesOf<ConstRuntimeQuantity>(runtime);
}

Runtime RuntimeEntry::on(const Device& device) const {
    Runtime runtime = base;
    const auto it = calibrations.find(device.id);
    if (it == calibrations.end())
        return runtime;
    for (const auto& [path, spec, quantity] : runtimeQuantities(runtime))
        if (const auto calibrated = it->second.find(path); calibrated != it->second.end())
            *quantity = calibrated->second;
    return runtime;
}

RuntimeEntry readRuntimeEntry(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    RuntimeEntry entry;
    readShape(entry.base, object);
    checkComplete(entry.base, where);
    if (object.has("calibrations")) {
        auto byDevice = object.object("calibrations");
        for (const auto& [device, quantities] : json.at("calibrations").items()) {
            checkId(device, byDevice.where());
            JsonObject one(quantities, byDevice.place(device));
            readCalibration(entry.base, one, entry.calibrations[device]);
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
                 {"operators", kStyleNames[static_cast<std::size_t>(runtime.operators)]},
                 {"allreduce", kAllReduceNames[static_cast<std::size_t>(runtime.allReduce)]}};
    writeText(json, "about", runtime.about);
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const auto& timing = runtime.timing(phase);
        auto& written = json[std::string(kTiming)][std::string(phaseName(phase))];
        written["model"] = timing.kind->id();
        writeSettings(*timing.kind, timing.settings, written);
    }
    for (const auto* kind : costKinds().all()) {
        Json written = Json::object();
        writeSettings(*kind, runtime.costs[*kind], written);
        if (!written.empty())
            json[std::string(kind->id())] = std::move(written);
    }
    if (runtime.mergesLoads)
        json["merges_loads"] = true;
    if (runtime.offload) {
        auto& written = json[std::string(kOffload)];
        written["kind"] = runtime.offload.kind->id();
        writeSettings(*runtime.offload.kind, runtime.offload.settings, written);
    }
    if (runtime.nearStorage)
        json["near_storage"] = true;
    if (runtime.holdsScores)
        json["holds_scores"] = true;
    if (runtime.measuredFor)
        json["measured_for"] = writeMeasuredFor(*runtime.measuredFor);
    if (runtime.ownKernels)
        json["kernel_constants"] = writeKernelConstants(*runtime.ownKernels);
    writeFields(runtime, runtimeFields(), json);
    return json;
}

namespace {

const std::array<KindParameter, 8> kParameters{{
    {{"host_memory_share", "Usable host memory", "", 1, 1e-3, 1, false, true,
      "Share of the free host memory that can hold KV or X cache."}},
    {{"host_reserve_gb", "Host memory kept free", "GB", units::GB, 0, 1e6, false, true,
      "Host memory that the system and the software keep for themselves."}},
    {{"device_reserve_gb", "Device memory kept free", "GB", units::GB, 0, 1e6, false, true,
      "Device memory that must stay free of weights, for activations."}},
    {{"staging_layers", "Staged layers", "", 1, 0, 1024, false, true,
      "Layers whose KV cache is staged in host memory at once."}},
    {{"host_memory_efficiency", "CPU attention, share of DRAM peak", "", 1, 1e-4, 1, false, true,
      "Share of the host's memory bandwidth that attention on the CPU reaches."}},
    {{"transfer_limit_gbps", "Host to device, at most", "GB/s", units::giga, 1e-3, 1e6, false, false,
      "Bandwidth that the software's copies reach, where it is below the link's (pageable memory)."}},
    {{"weights_on_storage", "Weights on storage", "", 1, 0, 1, false, false,
      "Share of the weights that is kept on storage in any case; not set: none."}},
    {{"unified_memory_gbps", "Unified memory", "GB/s", units::giga, 1e-3, 1e6, false, true,
      "Bandwidth at which unified virtual memory pages in KV cache."}},
}};

} // namespace

std::span<const KindParameter> OffloadKind::parameters() const {
    const std::span<const KindParameter> all(kParameters);
    return m_rules.pages ? all : all.first(kUnifiedBandwidth);
}

Registry<OffloadKind>& offloadKinds() {
    static const OffloadKind weights{"weights",
                                     "Weights",
                                     "Weights move to the host when they and the KV cache do not both fit.",
                                     {.kvOnDevice = true}};
    static const OffloadKind host{"host",
                                  "KV cache to the host",
                                  "All of the KV cache lies in host memory, read by the CPU's attention.",
                                  {.kvFitsHost = true}};
    static const OffloadKind unified{
        "unified",
        "Unified memory",
        "The part of the KV cache that host memory does not take is paged in from storage.",
        {.readsStorage = true, .pages = true}};
    static const OffloadKind storage{
        "storage",
        "KV cache to storage",
        "The part of the KV cache that host memory does not take is read from storage.",
        {.readsStorage = true}};
    static Registry<OffloadKind> registry("way of offloading", {&weights, &host, &unified, &storage});
    return registry;
}

} // namespace heteroscape::engine
