// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/technique_targets.h"

#include "engine/base/error.h"
#include "engine/scenario/technique_specs.h"
#include "engine/scenario/tiers.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

const TechniqueSpec& specOf(std::string_view id) {
    for (const auto& spec : techniqueSpecs())
        if (spec.id == id)
            return spec;
    throw Error(ErrorCode::NotFound, "techniques." + std::string(id), "no such technique");
}

bool isOn(const Scenario& scenario, const TechniqueSpec& spec) {
    auto& techniques = const_cast<Techniques&>(scenario.techniques); // the table's accessors only read here
    return spec.enabled(techniques);
}

// What a connected part of the system has of what attention near storage needs.
constexpr char kHost = 1;
constexpr char kCsds = 2; ///< that attend
constexpr char kUser = 4; ///< an accelerator whose runtime lets them

} // namespace

TechniqueTargets::TechniqueTargets(const Scenario& scenario) : m_scenario(scenario), m_parts(scenario) {
    const auto& nodes = scenario.nodes;
    m_attends.assign(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto& part = m_attends[m_parts.part(i)];
        if (nodes[i].device.kind == DeviceKind::Cpu)
            part |= kHost;
        if (attendsNearStorage(nodes[i]))
            part |= kCsds;
        if (offloads(nodes[i]) && nodes[i].runtime->nearStorage)
            part |= kUser;
        if (canPrefetch(nodes[i]))
            if (const auto* link = collectiveLink(scenario, nodes[i]))
                m_collectives[link->id] = &nodes[i];
    }
}

std::string TechniqueTargets::nearStorageRefusal(std::string_view technique, const Node& node) const {
    const auto& name = node.shownName();
    const bool csd = node.device.kind == DeviceKind::Csd;
    const bool host = node.device.kind == DeviceKind::Cpu;
    if (isAccelerator(node.device.kind)) {
        if (!node.runtime || !node.runtime->nearStorage)
            return name + " runs nothing that lets CSDs attend: choose a runtime that can, such as INF2";
    } else if (technique == "attention_near_storage" ? !csd : !csd && !host) {
        return name + " cannot attend to a KV cache: drop it on CSDs or on the accelerator they serve";
    } else if (csd && !attendsNearStorage(node)) {
        return name + " has the role storage: give it the role attention first";
    }
    const auto part = m_attends[m_parts.part(m_parts.index(node.id))];
    if ((part & kCsds) == 0)
        return "No CSDs are linked to " + name + ": link some to its host first";
    if ((part & kHost) == 0)
        return name + " reaches no CPU host: link it to one first";
    if ((part & kUser) == 0)
        return "No accelerator linked to " + name + " lets CSDs attend: give one the runtime INF2 first";
    if (technique != "attention_near_storage" && !m_scenario.techniques.nearStorage.enabled)
        return std::string(specOf(technique).label) +
               " changes nothing without attention near storage: switch that on first";
    return {};
}

std::string TechniqueTargets::refusalAt(std::string_view technique, const Node& node) const {
    const auto& spec = specOf(technique);
    const auto& name = node.shownName();
    if (spec.scope == TechniqueScope::NearStorage)
        return nearStorageRefusal(technique, node);
    if (!isAccelerator(node.device.kind))
        return name + " runs no part of the model: drop it on an accelerator";
    if (!node.runtime)
        return name + " has no runtime: choose one first";
    switch (spec.scope) {
    case TechniqueScope::LoadMerging:
        return node.runtime->mergesLoads ? std::string()
                                         : node.runtime->name + " on " + name +
                                               " cannot merge loads: choose a runtime of an FPGA that can";
    case TechniqueScope::L2:
        if (!node.device.l2Capacity.isSet())
            return name + " has no L2 that is known: set its capacity first";
        if (!node.runtime->seesL2())
            return node.runtime->name + " on " + name + " does not see L2: choose a fused runtime first";
        if (tensorParallel(node) <= 1.0)
            return "The devices of " + name +
                   " share no copy of the model, so there is no allreduce to prefetch under: give it tensor "
                   "parallelism first";
        return {};
    case TechniqueScope::System:
        if (technique == "gpu_assist") {
            if (!m_scenario.techniques.disaggregation.enabled)
                return "Every accelerator serves whole requests here: split prefill and decode first";
            if (node.role != Role::Prefill)
                return name + " does not prefill: drop it on a node that does";
        }
        return {};
    case TechniqueScope::NearStorage:
        break;
    }
    return {};
}

std::string TechniqueTargets::refusal(std::string_view technique, const NodeId& id) const {
    if (!m_parts.contains(id))
        throw Error(ErrorCode::NotFound, "nodes." + id.value, "no such node");
    return refusalAt(technique, m_scenario.nodes[m_parts.index(id)]);
}

std::string TechniqueTargets::refusal(std::string_view technique, const LinkId& id) const {
    const auto& spec = specOf(technique);
    if (!m_scenario.findLink(id))
        throw Error(ErrorCode::NotFound, "links." + id.value, "no such link");
    if (spec.scope != TechniqueScope::L2)
        return std::string(spec.label) + " changes nodes, not links: drop it on a node";
    return m_collectives.contains(id)
               ? std::string()
               : "No allreduce that L2 prefetch could hide under crosses this link: drop it on the "
                 "link of devices that share the model";
}

std::vector<std::string_view> TechniqueTargets::on(const NodeId& id) const {
    std::vector<std::string_view> ids;
    for (const auto& spec : techniqueSpecs())
        if (spec.id != "disaggregation" && isOn(m_scenario, spec) && refusal(spec.id, id).empty())
            ids.push_back(spec.id);
    return ids;
}

std::vector<std::string_view> TechniqueTargets::on(const LinkId& id) const {
    std::vector<std::string_view> ids;
    for (const auto& spec : techniqueSpecs())
        if (isOn(m_scenario, spec) && refusal(spec.id, id).empty())
            ids.push_back(spec.id);
    return ids;
}

} // namespace heteroscape::engine
