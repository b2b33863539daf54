// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/runtime_choice.h"

#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>

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

std::optional<Server> serverAfter(const Node& node, const Device& device, const Catalog& catalog) {
    if (node.server || node.device.id == device.id)
        return node.server && servedRuntime(*node.server, {}, device, catalog) ? node.server : std::nullopt;
    if (node.runtime && offloads(*node.runtime))
        return std::nullopt;
    const auto* server =
        node.runtime ? serverOf(catalog.findRuntime(node.runtime->id), device, catalog) : nullptr;
    if (!server)
        server = serverOf(catalog.defaultRuntime(device), device, catalog);
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

std::optional<Runtime> runtimeAfter(const Node& node, const Device& device, const Catalog& catalog) {
    const auto* usual = catalog.defaultRuntime(device);
    if (!node.runtime)
        return usual ? std::optional(usual->on(device)) : std::nullopt;
    const auto& old = *node.runtime;
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
    if (!entry)
        return std::nullopt;
    // Kernels that do not multiply what is kept in 8 bit unpack it: activations are the first to give way.
    using Kept = std::vector<Quantity Runtime::*>;
    const Kept tries[] = {{&Runtime::weightBits, &Runtime::activationBits, &Runtime::kvBits},
                          {&Runtime::weightBits, &Runtime::kvBits},
                          {&Runtime::weightBits},
                          {&Runtime::kvBits},
                          {}};
    for (const auto& kept : tries) {
        auto runtime = entry->on(device);
        for (const auto bits : kept)
            if (before)
                runtime.*bits = (*before).*bits;
        if (canRun(runtime, device))
            return runtime;
    }
    return std::nullopt;
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

SetDevice replaceRuntime(const Node& node, Runtime runtime) {
    const auto server = timedByKernels(runtime) ? node.server : std::nullopt;
    return {node.id, node.device, std::move(runtime), {}, Shared<std::optional<Server>>(server)};
}

EditList takeModel(const Scenario& scenario, Model model) {
    EditList list;
    for (const auto& node : scenario.nodes) {
        if (!node.runtime || !model.kvBits.isSet())
            continue;
        auto runtime = *node.runtime;
        runtime.kvBits.value = model.kvBits.value;
        if (canRun(runtime, node.device))
            list.edits.push_back(SetQuantity{"nodes." + node.id.value + ".runtime.kv_bits", model.kvBits});
    }
    list.edits.insert(list.edits.begin(), SetModel{std::move(model)});
    return list;
}

bool runsIdeal(const Scenario& scenario) {
    return std::any_of(scenario.nodes.begin(), scenario.nodes.end(), [&](const Node& node) {
        return node.runtime && effectiveRole(scenario, node) != Role::Fabric && isIdeal(*node.runtime);
    });
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

} // namespace heteroscape::engine
