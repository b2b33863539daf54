// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/older_runtime.h"

#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr Phase kPhases[] = {Phase::Prefill, Phase::Decode};

/// What a parameter was called beside those of the other phase.
std::string olderKey(Phase phase, std::string_view key) {
    const bool shared = key == "compute_efficiency" || key == "memory_efficiency";
    return shared ? std::string(phaseName(phase)) + "_" + std::string(key) : std::string(key);
}

/// Moves what `kind` is told from the older object to its own, and says which keys went.
template <class Key>
void move(const Json& from, Json& to, const Kind& kind, Key key) {
    for (const auto& parameter : kind.parameters())
        if (const auto at = from.find(key(parameter.spec.key)); at != from.end())
            to[std::string(parameter.spec.key)] = *at;
}

} // namespace

bool isOlderRuntime(const Json& runtime) {
    return runtime.is_object() && runtime.contains("prefill_timing") && !runtime.contains("timing");
}

Json migratedRuntime(const Json& runtime) {
    Json result = runtime;
    for (const auto phase : kPhases) {
        const auto key = std::string(phaseName(phase)) + "_timing";
        auto& timing = result["timing"][std::string(phaseName(phase))];
        auto model = runtime.value(key, std::string());
        if (model == "ascend910b_measured" && phase == Phase::Prefill)
            model = "ascend910b_prefill";
        timing = {{"model", model}};
        if (const auto* kind = timingKinds().find(model))
            move(runtime, timing, *kind, [&](std::string_view name) { return olderKey(phase, name); });
        result.erase(key);
    }
    for (const auto* kind : timingKinds().all())
        for (const auto& parameter : kind->parameters())
            for (const auto phase : kPhases)
                result.erase(olderKey(phase, parameter.spec.key));
    result.erase("offload");
    const auto offload = runtime.value("offload", std::string("none"));
    if (offload != "none") {
        result["offload"] = {{"kind", offload}};
        if (const auto* kind = offloadKinds().find(offload))
            move(runtime, result["offload"], *kind, [](std::string_view name) { return std::string(name); });
    }
    for (const auto* kind : offloadKinds().all())
        for (const auto& parameter : kind->parameters())
            result.erase(std::string(parameter.spec.key));
    return result;
}

std::string currentPath(const Scenario& scenario, const std::string& path) {
    constexpr std::string_view nodes = "nodes.";
    constexpr std::string_view infix = ".runtime.";
    if (!path.starts_with(nodes))
        return path;
    const auto at = path.find(infix, nodes.size());
    if (at == std::string::npos)
        return path;
    const auto key = path.substr(at + infix.size());
    const auto* node = scenario.findNode({path.substr(nodes.size(), at - nodes.size())});
    if (!node || !node->runtime || findField(runtimeFields(), key))
        return path;
    const auto& runtime = *node->runtime;
    for (const auto phase : {Phase::Decode, Phase::Prefill})
        for (const auto& parameter : runtime.timing(phase).kind->parameters())
            if (olderKey(phase, parameter.spec.key) == key)
                return path.substr(0, at) + ".timing." + std::string(phaseName(phase)) + "." +
                       std::string(parameter.spec.key);
    if (runtime.offload && runtime.offload.kind->indexOf(key) >= 0)
        return path.substr(0, at) + ".offload." + key;
    return path;
}

} // namespace heteroscape::engine
