// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/step_cache.h"

#include "engine/scenario/parameters.h"
#include "engine/scenario/split_pool.h"
#include "engine/scenario/tiers.h"
#include "engine/techniques/graph_pass.h"
#include "engine/techniques/speculation.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace heteroscape::engine {

namespace {

/// Of a device: what is bought, what it draws, and how much it holds, which is compared with what steps need.
constexpr std::array<std::string_view, 9> kBesideSteps{
    "price_usd",          "rent_usd_per_hour", "die_area_mm2",   "core_area_mm2", "core_power_w",
    "l2_area_mm2_per_mb", "power_prefill_w",   "power_decode_w", "memory_gb"};

constexpr auto kNeverAgain = std::numeric_limits<std::uint64_t>::max();

StepReach reachOfNode(const Scenario& scenario, const std::string& path) {
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto prefix = "nodes." + scenario.nodes[i].id.value + ".";
        if (!path.starts_with(prefix))
            continue;
        const auto key = path.substr(prefix.size());
        const bool beside = key.starts_with("device.") && std::find(kBesideSteps.begin(), kBesideSteps.end(),
                                                                    key.substr(7)) != kBesideSteps.end();
        if (key == "count" || beside || key.starts_with("chassis_"))
            return {StepReach::Of::Nothing};
        return {StepReach::Of::OneNode, i};
    }
    return {};
}

/// All members: one that is added does not compile until it is named here.
auto membersOf(const Collective& collective) {
    const auto& [devices, bandwidth, latency, convention, link, network, stage, start, peer, energy] =
        collective;
    const auto& [domain, networkBandwidth, networkLatency, networkLink, networkStart, networkEnergy] =
        network;
    return std::tuple(devices, bandwidth, latency, convention, link, domain, networkBandwidth, networkLatency,
                      networkLink, networkStart, networkEnergy, stage, start, peer, energy);
}

} // namespace

bool StepInputs::operator==(const StepInputs& other) const {
    return devices == other.devices && role == other.role && full == other.full &&
           membersOf(collective) == membersOf(other.collective);
}

StepReach stepReach(const Scenario& scenario, const std::string& path) {
    if (findParameter(scenario, {}, path).kind != ParameterKind::Number)
        return {};
    for (const auto* beside : {"links.", "serving.", "cost."})
        if (path.starts_with(beside))
            return {StepReach::Of::Nothing};
    if (path.starts_with("nodes."))
        return reachOfNode(scenario, path);
    StepReach reach;
    if (path == "workload.prompt_tokens")
        reach.graphs = {true, false};
    else if (path == "workload.output_tokens")
        reach.graphs = {false, false};
    return reach;
}

bool readsOnlyDeclared(const Scenario& scenario, const Node& node) {
    if (offloads(node) || splitsLayers(node) || scenario.techniques.isOn(pipelineOverNodes()))
        return false;
    for (const auto* kind : techniqueKinds().all())
        if (const auto* pass = kind->pass(); pass && scenario.techniques.isOn(*kind) && !pass->readsOneNode())
            return false;
    return true;
}

bool passesReadLengths(const Scenario& scenario) {
    const auto kinds = techniqueKinds().all();
    return std::any_of(kinds.begin(), kinds.end(), [&](const Technique* kind) {
        return kind->pass() && scenario.techniques.isOn(*kind) && kind->pass()->readsLengths();
    });
}

bool graphsReadNoLengths(const Scenario& scenario, const Node& node) {
    return scenario.model.isUniform() && !isLayered(scenario.model, node) && !speculates(scenario, node) &&
           !passesReadLengths(scenario);
}

const NodeSteps* StepCache::find(std::size_t node, const StepInputs& inputs) const {
    if (node >= m_keys.size() || m_keys[node] == kNeverAgain)
        return nullptr;
    const auto& entry = m_entries[placeOf(node)];
    return entry.node == node && entry.key == m_keys[node] && entry.inputs == inputs ? &entry.steps : nullptr;
}

void StepCache::keep(std::size_t node, const StepInputs& inputs, const NodeSteps& steps) {
    if (node < m_keys.size() && m_keys[node] != kNeverAgain)
        m_entries[placeOf(node)] = {node, m_keys[node], inputs, steps};
}

const CompiledPhase* StepCache::phase(const Scenario& scenario, std::size_t node, Phase phase,
                                      const Machine& machine, const StepInputs& inputs) {
    const auto index = kPhaseCount * node + static_cast<std::size_t>(phase);
    if (index >= m_graphKeys.size() || m_graphKeys[index] == kNeverAgain)
        return nullptr;
    const auto key = m_graphKeys[index];
    const auto* at = &scenario.nodes[node];
    if (m_phases.of.size() <= index)
        m_phases.of.resize(m_graphKeys.size());
    auto& kept = m_phases.of[index][key % kPhases];
    if (kept && kept->key == key && kept->scenario == &scenario && kept->node == at &&
        kept->inputs == inputs) {
        kept->compiled.setMaxTokens(phaseMaxTokens(scenario.workload));
        return &kept->compiled;
    }
    if (!graphsReadNoLengths(scenario, *at))
        return nullptr;
    kept = std::make_unique<KeptPhase>(scenario, *at, phase, machine, key, inputs);
    return &kept->compiled;
}

} // namespace heteroscape::engine
