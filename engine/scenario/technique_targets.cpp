// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/technique_targets.h"

#include "engine/base/error.h"
#include "engine/scenario/tiers.h"

namespace heteroscape::engine {

TechniqueTargets::TechniqueTargets(const Scenario& scenario) : m_scenario(scenario), m_parts(scenario) {
    const auto& nodes = scenario.nodes;
    m_contents.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto& part = m_contents[m_parts.part(i)];
        part.host |= nodes[i].device.kind == DeviceKind::Cpu;
        part.csds |= attendsNearStorage(nodes[i]);
        part.user |= offloads(nodes[i]) && nodes[i].runtime->nearStorage;
        if (nodes[i].runtime && tensorParallel(nodes[i]) > 1.0)
            if (const auto* link = collectiveLink(scenario, nodes[i]))
                m_collectives[link->id].push_back(&nodes[i]);
    }
}

const TechniqueTargets::Part& TechniqueTargets::partOf(const Node& node) const {
    return m_contents[m_parts.part(m_parts.index(node.id))];
}

std::span<const Node* const> TechniqueTargets::reducedOver(const Link& link) const {
    const auto found = m_collectives.find(link.id);
    return found == m_collectives.end() ? std::span<const Node* const>() : found->second;
}

std::string TechniqueTargets::refusal(const Technique& technique, const NodeId& id) const {
    if (!m_parts.contains(id))
        throw Error(ErrorCode::NotFound, "nodes." + id.value, "no such node");
    return technique.refusalAt(*this, m_scenario.nodes[m_parts.index(id)]);
}

std::string TechniqueTargets::refusal(const Technique& technique, const LinkId& id) const {
    const auto* link = m_scenario.findLink(id);
    if (!link)
        throw Error(ErrorCode::NotFound, "links." + id.value, "no such link");
    return technique.refusalAt(*this, *link);
}

namespace {

template <class Id>
std::vector<const Technique*> actingAt(const TechniqueTargets& targets, const Id& id) {
    std::vector<const Technique*> kinds;
    for (const auto* kind : techniqueKinds().all())
        if (kind->isMarked() && targets.scenario().techniques.isOn(*kind) &&
            targets.refusal(*kind, id).empty())
            kinds.push_back(kind);
    return kinds;
}

} // namespace

std::vector<const Technique*> TechniqueTargets::on(const NodeId& id) const {
    return actingAt(*this, id);
}

std::vector<const Technique*> TechniqueTargets::on(const LinkId& id) const {
    return actingAt(*this, id);
}

} // namespace heteroscape::engine
