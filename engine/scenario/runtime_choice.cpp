// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/runtime_choice.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array kPrecisions{&Runtime::weightBits, &Runtime::activationBits, &Runtime::kvBits};
constexpr std::array<std::string_view, 3> kPrecisionNames{"weights", "activations", "KV cache"};

bool samePrecisions(const Runtime& a, const Runtime& b) {
    return std::all_of(kPrecisions.begin(), kPrecisions.end(),
                       [&](Quantity Runtime::*bits) { return (a.*bits).value == (b.*bits).value; });
}

bool offloads(const Runtime& runtime) {
    return runtime.offload || runtime.nearStorage;
}

/// The server of a runtime, where its kernels run on the device; null: there is none.
const Server* serverOf(const RuntimeEntry* runtime, const Device& device, const Catalog& catalog) {
    if (!runtime || !canRun(runtime->on(device), device))
        return nullptr;
    const auto found = std::find_if(catalog.servers.begin(), catalog.servers.end(),
                                    [&](const Server& server) { return server.runtime == runtime->base.id; });
    return found == catalog.servers.end() ? nullptr : &*found;
}

/// That of a node's runtime on a device, else the one that a freshly placed device gets; null: there is none.
const Server* serverFor(const Node& node, const Device& device, const Catalog& catalog) {
    const auto* server =
        node.runtime ? serverOf(catalog.findRuntime(node.runtime->id), device, catalog) : nullptr;
    return server ? server : serverOf(catalog.defaultRuntime(device), device, catalog);
}

std::optional<Server> serverAfter(const Node& node, const Device& device, const Catalog& catalog) {
    if (node.server || node.device.id == device.id)
        return node.server && servedRuntime(*node.server, {}, device, catalog) ? node.server : std::nullopt;
    if (node.runtime && offloads(*node.runtime))
        return std::nullopt;
    const auto* server = serverFor(node, device, catalog);
    return server ? std::optional(*server) : std::nullopt;
}

/// "Fused FP16 in place of HF eager", with the bits that change, if any do. Empty when it stays.
std::string runtimeChange(const Node& before, const std::optional<Runtime>& after) {
    if (!before.runtime || !after || before.runtime->id == after->id)
        return {};
    std::string text = after->name + " in place of " + before.runtime->name;
    std::string bits;
    for (std::size_t i = 0; i < kPrecisions.size(); ++i) {
        const double was = ((*before.runtime).*kPrecisions[i]).value;
        const double is = ((*after).*kPrecisions[i]).value;
        if (was != is)
            bits += (bits.empty() ? "" : ", ") + std::string(kPrecisionNames[i]) + " " + plainText(was) +
                    " to " + plainText(is) + " bit";
    }
    return bits.empty() ? text : text + " (" + bits + ")";
}

/// What the user has changed on the node, on what the catalogue has for the new device.
Runtime keptOn(const Node& node, const RuntimeEntry& entry, const Device& device) {
    const auto shipped = entry.on(node.device);
    auto kept = entry.on(device);
    const auto were = runtimeQuantities(shipped);
    const auto are = runtimeQuantities(*node.runtime);
    const auto quantities = runtimeQuantities(kept);
    const auto alike = std::equal(were.begin(), were.end(), are.begin(), are.end(),
                                  [](const auto& a, const auto& b) { return a.path == b.path; });
    if (!alike)
        return *node.runtime; // timed by other models than the catalogue's
    for (std::size_t i = 0; i < quantities.size(); ++i)
        if (*are[i].quantity != *were[i].quantity)
            *quantities[i].quantity = *are[i].quantity;
    kept.allReduce = node.runtime->allReduce;
    return kept;
}

} // namespace

std::vector<MissingQuantity> missingQuantities(const Runtime& runtime, const Device& device) {
    std::vector<MissingQuantity> missing;
    const auto need = [&](const Quantity& quantity, std::string_view key, std::string_view what) {
        if (!quantity.isSet())
            missing.push_back({key, what});
    };
    const bool narrow = runtime.activationBits.value <= 8.0;
    // A peak may also follow from SMs, clock and rate per clock, as far as no measured GPU says them.
    const bool measured = !device.kernels.empty();
    const bool follows = (narrow ? device.int8PerClock : device.fp16PerClock).isSet() &&
                         (measured || (device.sms.isSet() && device.clock.isSet()));
    if (!runtime.peakCompute.isSet() && !follows)
        need(narrow ? device.peakInt8 : device.peakFp16, narrow ? "peak_int8_tops" : "peak_fp16_tflops",
             narrow ? "the INT8 peak" : "the FP16 peak");
    need(device.memoryBandwidth, "memory_bandwidth_gbps", "the memory bandwidth");
    need(device.memoryCapacity, "memory_gb", "the memory capacity");
    const auto needed = runtime.decode.kind->deviceNeeds();
    for (const auto& each : needed)
        need(device.*each.member, each.key, each.what);
    for (const auto& each : runtime.prefill.kind->deviceNeeds())
        if (std::none_of(needed.begin(), needed.end(),
                         [&](const TimingKind::DeviceNeed& other) { return other.member == each.member; }))
            need(device.*each.member, each.key, each.what);
    return missing;
}

bool canRun(const Runtime& runtime, const Device& device) {
    return runsOn(runtime, device.kind) && missingQuantities(runtime, device).empty() &&
           !runtime.prefill.kind->refusalOn(runtime, device) &&
           !runtime.decode.kind->refusalOn(runtime, device) &&
           (!runtime.measuredFor || runtime.measuredFor->device == device.id);
}

bool timedByClass(const Runtime& runtime) {
    return runtime.prefill.kind->isByClass() && runtime.decode.kind->isByClass();
}

namespace {

/// A runtime of the catalogue on a device, with the precisions of `before` where it has them there; none
/// where it does not run.
std::optional<Runtime> atPrecisions(const RuntimeEntry& entry, const std::optional<Runtime>& before,
                                    const Device& device) {
    // Kernels that do not multiply what is kept in 8 bit unpack it: activations are the first to give way.
    using Kept = std::vector<Quantity Runtime::*>;
    const Kept tries[] = {{&Runtime::weightBits, &Runtime::activationBits, &Runtime::kvBits},
                          {&Runtime::weightBits, &Runtime::kvBits},
                          {&Runtime::weightBits},
                          {&Runtime::kvBits},
                          {}};
    for (const auto& kept : tries) {
        auto runtime = entry.on(device);
        for (const auto bits : kept)
            if (before)
                runtime.*bits = (*before).*bits;
        if (canRun(runtime, device))
            return runtime;
    }
    return std::nullopt;
}

} // namespace

std::optional<Runtime> runtimeAfter(const Node& node, const Device& device, const Catalog& catalog) {
    const auto* usual = catalog.defaultRuntime(device);
    if (!node.runtime)
        return usual ? std::optional(usual->on(device)) : std::nullopt;
    const auto& old = *node.runtime;
    if (usual && timedByClass(usual->base) && !timedByClass(old) && !offloads(old) &&
        node.device.id != device.id)
        if (auto runtime = atPrecisions(*usual, old, device))
            return runtime;
    if (canRun(old, device)) {
        const auto* entry = catalog.findRuntime(old.id);
        return entry ? keptOn(node, *entry, device) : old;
    }
    const auto isUsual = [&](const RuntimeEntry& entry) {
        return std::any_of(catalog.devices.begin(), catalog.devices.end(),
                           [&](const Device& other) { return catalog.defaultRuntime(other) == &entry; });
    };
    using Nearness = std::array<bool, 6>;
    const auto nearness = [&](const RuntimeEntry& entry) {
        const auto& one = entry.base;
        return Nearness{one.offload.kind == old.offload.kind && one.nearStorage == old.nearStorage,
                        samePrecisions(one, old),
                        &entry == usual,
                        isUsual(entry),
                        one.operators == old.operators,
                        one.prefill.kind == old.prefill.kind && one.decode.kind == old.decode.kind};
    };
    const RuntimeEntry* nearest = nullptr;
    for (const auto& entry : catalog.runtimes)
        if (canRun(entry.on(device), device) && (!nearest || nearness(entry) > nearness(*nearest)))
            nearest = &entry;
    if (!nearest)
        nearest = usual;
    return nearest ? std::optional(nearest->on(device)) : std::nullopt;
}

bool timedByKernels(const Runtime& runtime) {
    return runtime.prefill.kind->takesKernelConstants() && runtime.decode.kind->takesKernelConstants();
}

std::optional<Runtime> servedRuntime(const Server& server, const std::optional<Runtime>& before,
                                     const Device& device, const Catalog& catalog) {
    const auto* entry = catalog.findRuntime(server.runtime);
    return entry ? atPrecisions(*entry, before, device) : std::nullopt;
}

void placeSoftware(Node& node, const Catalog& catalog) {
    const auto* runtime = isAccelerator(node.device.kind) ? catalog.defaultRuntime(node.device) : nullptr;
    if (!runtime)
        return;
    node.runtime = runtime->on(node.device);
    if (const auto* server = serverOf(runtime, node.device, catalog))
        node.server = *server;
}

SetDevice replaceDevice(const Node& node, const Device& device, const Catalog& catalog) {
    auto server = serverAfter(node, device, catalog);
    const auto& now = node.runtime;
    const bool keeps = now && canRun(*now, device) &&
                       (timedByKernels(*now) || offloads(*now) || node.device.id == device.id);
    auto runtime =
        server && !keeps ? servedRuntime(*server, now, device, catalog) : runtimeAfter(node, device, catalog);
    return {node.id, device, std::move(runtime), {}, Shared<std::optional<Server>>(std::move(server))};
}

SetDevice replaceRuntime(const Node& node, Runtime runtime, const Catalog& catalog) {
    auto server = timedByKernels(runtime) ? node.server : std::nullopt;
    if (!server && timedByKernels(runtime))
        if (const auto* own = serverOf(catalog.findRuntime(runtime.id), node.device, catalog))
            server = *own;
    return {node.id, node.device, std::move(runtime), {}, Shared<std::optional<Server>>(std::move(server))};
}

Runtime keepsAsReleased(Runtime runtime, const Device& device, const Model& model) {
    auto released = runtime;
    released.kvBits = model.kvBits;
    return model.kvBits.isSet() && canRun(released, device) ? released : runtime;
}

EditList takeModel(const Scenario& scenario, Model model) {
    EditList list;
    for (const auto& node : scenario.nodes) {
        if (!node.runtime || !model.kvBits.isSet())
            continue;
        if (keepsAsReleased(*node.runtime, node.device, model).kvBits.value == model.kvBits.value)
            list.edits.push_back(SetQuantity{"nodes." + node.id.value + ".runtime.kv_bits", model.kvBits});
    }
    list.edits.insert(list.edits.begin(), SetModel{std::move(model)});
    return list;
}

namespace {

constexpr std::array<std::string_view, 5> kTruthNames{"ideal", "modelled", "class", "kernels", "served"};
constexpr std::array<std::string_view, 5> kTruthTexts{"ideal, at best", "modelled",
                                                      "rule of its class, not measured", "measured kernels",
                                                      "measured kernels and server"};

bool computes(const Node& node) {
    return node.runtime && isAccelerator(node.device.kind) && node.role != Role::Fabric;
}

Truth truthOfNode(const Node& node) {
    return isIdeal(*node.runtime)           ? Truth::Ideal
           : timedByClass(*node.runtime)    ? (node.device.classBand.isSet() ? Truth::Kernels : Truth::Class)
           : !timedByKernels(*node.runtime) ? Truth::Modelled
           : !node.server                   ? Truth::Kernels
                                            : Truth::Served;
}

/// The first of the catalogue that `isWanted`, at the node's precisions where it has them on its device.
std::optional<Runtime> runtimeLike(const Node& node, const Catalog& catalog,
                                   bool (*isWanted)(const Runtime&)) {
    for (const auto& entry : catalog.runtimes)
        if (isWanted(entry.base))
            if (auto runtime = atPrecisions(entry, node.runtime, node.device))
                return runtime;
    return std::nullopt;
}

/// None: the node cannot be of that kind.
std::optional<SetDevice> truthEditOf(const Node& node, Truth wanted, const Catalog& catalog) {
    if (offloads(*node.runtime))
        return std::nullopt;
    if (wanted == Truth::Ideal || wanted == Truth::Class) {
        auto runtime = runtimeLike(node, catalog, wanted == Truth::Ideal ? isIdeal : timedByClass);
        return runtime ? std::optional(replaceRuntime(node, std::move(*runtime), catalog)) : std::nullopt;
    }
    const auto* server = serverFor(node, node.device, catalog);
    if (!server)
        return std::nullopt;
    auto runtime = timedByKernels(*node.runtime) ? node.runtime
                                                 : servedRuntime(*server, node.runtime, node.device, catalog);
    return SetDevice{
        node.id, node.device, std::move(runtime), {}, Shared<std::optional<Server>>(std::optional(*server))};
}

} // namespace

const BatchingKind* serverBatching(const Scenario& scenario) {
    const std::string* found = nullptr;
    for (const auto& node : scenario.nodes) {
        if (!computes(node))
            continue;
        if (!node.server || (found && *found != node.server->batching))
            return nullptr;
        found = &node.server->batching;
    }
    return found ? batchingNamed(*found) : nullptr;
}

const BatchingKind& batchingUnder(const Scenario& scenario, const ArrivalKind& arrivals) {
    const auto& now = *scenario.serving.batching;
    if (scenario.serving.isSimulated() || !arrivals.isSimulated() || &now != batchingKinds().all().front())
        return now;
    const auto* server = serverBatching(scenario);
    return server ? *server : now;
}

GraphEdit arrivalsEdit(const Scenario& scenario, const ArrivalKind& arrivals) {
    const SetArrivals chosen{&arrivals};
    const auto& batching = batchingUnder(scenario, arrivals);
    if (&batching == scenario.serving.batching)
        return chosen;
    return EditList{{chosen, SetBatching{&batching}},
                    "Set arrivals to " + std::string(arrivals.id()) + ", batching to " +
                        std::string(batching.id()) + " as the server does"};
}

Truth truthOf(const Scenario& scenario) {
    std::optional<Truth> least;
    for (const auto& node : scenario.nodes)
        if (computes(node))
            least = std::min(least.value_or(Truth::Served), truthOfNode(node));
    return least.value_or(Truth::Modelled);
}

std::span<const std::string_view> truthNames() {
    return kTruthNames;
}

std::string_view truthText(Truth truth) {
    return kTruthTexts[static_cast<std::size_t>(truth)];
}

std::string_view truthRemark(Truth truth) {
    return truth == Truth::Ideal ? kAtBest
           : truth == Truth::Class
               ? "rule, not measured: what other accelerators reached of their peaks; 80 % of whole runs lay "
                 "within 1.6 times, either way, and a ratio of two such devices inside 1.5 is no result"
               : std::string_view();
}

std::string Truths::remarks() const {
    std::string text;
    for (std::size_t i = 0; i < kTruthNames.size(); ++i)
        if (const auto remark = truthRemark(Truth(i)); has(Truth(i)) && !remark.empty())
            text.append(areMixed() ? std::string(kTruthNames[i]) + ": " : "").append(remark).append("\n");
    return text;
}

std::optional<EditList> truthEdit(const Scenario& scenario, Truth wanted, const Catalog& catalog) {
    EditList list;
    list.text = "Like for like: " + std::string(truthText(wanted));
    for (const auto& node : scenario.nodes)
        if (computes(node) && truthOfNode(node) != wanted) {
            auto edit = truthEditOf(node, wanted, catalog);
            if (!edit)
                return std::nullopt;
            list.edits.emplace_back(std::move(*edit));
        }
    auto after = scenario;
    applyEdit(after, list);
    if (hasErrors(validate(after)) && !hasErrors(validate(scenario)))
        return std::nullopt;
    return list;
}

std::vector<EditList> likeForLike(std::span<const Scenario> designs, const Catalog& catalog) {
    for (const auto wanted : {Truth::Served, Truth::Class, Truth::Ideal}) {
        std::vector<EditList> edits;
        for (const auto& design : designs)
            if (auto edit = truthEdit(design, wanted, catalog))
                edits.push_back(std::move(*edit));
        if (edits.size() == designs.size())
            return edits;
    }
    return {};
}

std::string serverChange(const Node& before, const SetDevice& edit) {
    const std::optional<Server>& after = edit.server ? **edit.server : before.server;
    const auto id = [](const std::optional<Server>& server) { return server ? server->id : std::string(); };
    if (id(before.server) == id(after))
        return {};
    return after ? ", served as " + after->name : ", no server";
}

std::string softwareChange(const Node& before, const SetDevice& edit) {
    const auto text = runtimeChange(before, edit.runtime) + serverChange(before, edit);
    return text.starts_with(", ") ? text.substr(2) : text;
}

namespace {

constexpr std::string_view kWhere = "weight_bits";
constexpr double kMostInteger = 8.0, kBf16Bits = 16.0;

const WeightFormat& ofWidth(double bits) {
    const auto whole = [](double width) -> const WeightFormat& {
        return weightFormat(width > kMostInteger ? "bf16" : "int" + plainText(width), std::string(kWhere));
    };
    if (bits >= kBf16Bits)
        return whole(kBf16Bits);
    const double low = std::min(std::floor(bits), kMostInteger);
    const double high = low < kMostInteger ? low + 1.0 : kBf16Bits;
    if (bits == low)
        return whole(low);
    const double share = (bits - low) / (high - low);
    return mixedFormat({{&whole(low), 1.0 - share}, {&whole(high), share}});
}

} // namespace

const WeightRecipe& recipeAt(const WeightRecipe& checkpoint, double bits) {
    const auto* bf16 = &weightFormat("bf16", std::string(kWhere));
    const auto at = [bits](const WeightFormat& own) {
        return std::floor(8.0 * own.bytes) == bits ? &own : &ofWidth(bits);
    };
    auto formats = checkpoint.formats;
    if (std::all_of(formats.begin(), formats.end(), [&](const auto* format) { return format == bf16; })) {
        for (const auto part :
             {ModelPart::Attention, ModelPart::Dense, ModelPart::Experts, ModelPart::Shared})
            formats[static_cast<std::size_t>(part)] = at(*bf16);
        return weightRecipe(formats);
    }
    for (auto& format : formats) {
        auto shares = format->shares;
        for (auto& one : shares)
            one.format = one.format == bf16 ? bf16 : at(*one.format);
        if (!shares.empty())
            format = &mixedFormat(std::move(shares));
        else if (format != bf16)
            format = at(*format);
    }
    return weightRecipe(formats);
}

const WeightRecipe* servedWeights(const Model& model, const Node& node) {
    if (!model.weights || !node.runtime || node.runtime->weightBits.provenance != Provenance::User ||
        timedByKernels(*node.runtime))
        return model.weights;
    return &recipeAt(*model.weights, node.runtime->weightBits.value);
}

} // namespace heteroscape::engine
