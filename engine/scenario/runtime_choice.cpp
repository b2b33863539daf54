// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/runtime_choice.h"

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

bool runsIdeal(const Scenario& scenario) {
    return std::any_of(scenario.nodes.begin(), scenario.nodes.end(), [&](const Node& node) {
        return node.runtime && effectiveRole(scenario, node) != Role::Fabric && isIdeal(*node.runtime);
    });
}

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

} // namespace heteroscape::engine
