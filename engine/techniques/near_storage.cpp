// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/near_storage.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/technique_targets.h"

#include <cmath>

namespace heteroscape::engine {

bool runsNearStorage(const Scenario& scenario, const Node& node, const Tiers& tiers) {
    return scenario.techniques.isOn(attentionNearStorage()) && node.runtime && node.runtime->nearStorage &&
           tiers.near.devices > 0.0;
}

std::string NearStorageTechnique::refusalAt(const TechniqueTargets& targets, const Node& node) const {
    const auto& name = node.shownName();
    const auto kind = node.device.kind;
    if (isAccelerator(kind)) {
        if (!node.runtime || !node.runtime->nearStorage)
            return name + " runs nothing that lets CSDs attend: choose a runtime that can, such as INF2";
    } else if (!changes(kind)) {
        return name + " cannot attend to a KV cache: drop it on CSDs or on the accelerator they serve";
    } else if (kind == DeviceKind::Csd && !attendsNearStorage(node)) {
        return name + " has the role storage: give it the role attention first";
    }
    const auto& part = targets.partOf(node);
    if (!part.csds)
        return "No CSDs are linked to " + name + ": link some to its host first";
    if (!part.host)
        return name + " reaches no CPU host: link it to one first";
    if (!part.user)
        return "No accelerator linked to " + name + " lets CSDs attend: give one the runtime INF2 first";
    if (needs() && !targets.scenario().techniques.isOn(*needs()))
        return std::string(label()) + " changes nothing without attention near storage: switch that on first";
    return {};
}

bool NearStorageTechnique::changesStepOf(const Scenario& scenario, const Node& node) const {
    if (!offloads(node))
        return false;
    TierMap map;
    const auto index = static_cast<std::size_t>(&node - scenario.nodes.data());
    return runsNearStorage(scenario, node, map.find(scenario, index));
}

void NearStorageTechnique::check(const Scenario& scenario, TierMap& tiers,
                                 std::vector<Diagnostic>& found) const {
    if (scenario.techniques.isOn(attentionNearStorage()) && reachesAttendingCsds(scenario, tiers))
        return;
    found.push_back({Severity::Note, "techniques." + std::string(id()) + ".enabled",
                     std::string(label()) + " changes nothing without attention near storage",
                     "Switch on attention near storage", "needs_technique"});
}

bool reachesAttendingCsds(const Scenario& scenario, TierMap& tiers) {
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (offloads(node) && node.runtime->nearStorage && tiers.at(scenario, i).near.devices > 0.0)
            return true;
    }
    return false;
}

std::string shareMark(std::string_view name, double share) {
    std::string text(name);
    if (std::isnan(share))
        return text;
    const double percent = share * 100.0;
    return text +
           (percent > 0.0 && percent < 1.0 ? " < 1 %" : " " + std::to_string(std::lround(percent)) + " %");
}

} // namespace heteroscape::engine
