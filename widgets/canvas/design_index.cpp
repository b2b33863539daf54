// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/design_index.h"

#include "engine/schedule/offloading.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// "a100" of "nodes.a100.count" for "nodes."; empty when the subject is about something else.
std::string_view ownerIn(std::string_view subject, std::string_view list) {
    if (!subject.starts_with(list))
        return {};
    const auto rest = subject.substr(list.size());
    const auto end = rest.find('.');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

template <class Map>
auto found(const Map& map, std::string_view id) -> std::optional<std::size_t> {
    const auto entry = map.find(id);
    return entry == map.end() ? std::nullopt : std::optional(entry->second);
}

const DesignIndex::Findings&
findingsIn(const std::unordered_map<std::string_view, DesignIndex::Findings>& map, std::string_view id) {
    static const DesignIndex::Findings none;
    const auto entry = map.find(id);
    return entry == map.end() ? none : entry->second;
}

} // namespace

DesignIndex::DesignIndex(const Document& document)
    : m_document(document), m_targets(document.scenario()), m_linksOf(document.scenario().nodes.size()),
      m_bottleneck(bottleneckPlace(document)) {
    const auto& scenario = document.scenario();
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        m_nodes.emplace(scenario.nodes[i].id.value, i);
        m_hasTiers = m_hasTiers || scenario.nodes[i].device.kind == engine::DeviceKind::Csd ||
                     engine::offloads(scenario.nodes[i]);
    }
    for (const auto& result : document.evaluation().nodes)
        m_hasTiers = m_hasTiers || result.shortfall.has_value() || result.offload.active;
    for (const auto& id : document.selection().nodes)
        m_selected.insert(id.value);
    if (m_hasTiers) {
        m_tiers = tiersOf(document);
        m_shortfalls = shortfallsOf(document);
        const auto& nodes = document.results().scenario->nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            m_evaluated.emplace(nodes[i].id.value, i);
    }
    for (std::size_t i = 0; i < scenario.links.size(); ++i) {
        const auto& link = scenario.links[i];
        m_links.emplace(link.id.value, i);
        for (const auto* end : {&link.from, &link.to})
            if (const auto at = node(*end))
                m_linksOf[*at].push_back(i);
    }
    for (const auto& finding : document.diagnostics()) {
        const std::string_view subject = finding.subject;
        if (const auto owner = ownerIn(subject, "nodes."); !owner.empty())
            m_nodeFindings[owner].push_back(&finding);
        else if (const auto wire = ownerIn(subject, "links."); !wire.empty())
            m_linkFindings[wire].push_back(&finding);
        else {
            m_nodeFindings[subject].push_back(&finding);
            m_linkFindings[subject].push_back(&finding);
        }
    }
}

std::optional<std::size_t> DesignIndex::node(const engine::NodeId& id) const {
    return found(m_nodes, id.value);
}

std::optional<std::size_t> DesignIndex::link(const engine::LinkId& id) const {
    return found(m_links, id.value);
}

const engine::Node* DesignIndex::findNode(const engine::NodeId& id) const {
    const auto at = node(id);
    return at ? &m_document.scenario().nodes[*at] : nullptr;
}

const engine::Link* DesignIndex::findLink(const engine::LinkId& id) const {
    const auto at = link(id);
    return at ? &m_document.scenario().links[*at] : nullptr;
}

const std::optional<TierAt>& DesignIndex::tierAt(const engine::NodeId& id) const {
    static const std::optional<TierAt> none;
    const auto at = found(m_evaluated, id.value);
    return at && *at < m_tiers.size() ? m_tiers[*at] : none;
}

std::vector<NodeShortfall> DesignIndex::shortfallsAt(const engine::NodeId& id) const {
    std::vector<NodeShortfall> said;
    if (const auto at = found(m_evaluated, id.value); at && *at < m_shortfalls.size())
        for (const auto place : m_shortfalls[*at])
            said.push_back(shortfallOf(m_document, place));
    return said;
}

double DesignIndex::parallelLinks(const engine::Link& link) const {
    double parallel = 1.0;
    for (const auto* end : {&link.from, &link.to})
        if (const auto* at = findNode(*end); at && !engine::isFabric(at->device.kind))
            parallel = std::max<double>(parallel, at->count.value);
    return parallel;
}

const DesignIndex::Findings& DesignIndex::findingsOf(const engine::NodeId& id) const {
    return findingsIn(m_nodeFindings, id.value);
}

const DesignIndex::Findings& DesignIndex::findingsOf(const engine::LinkId& id) const {
    return findingsIn(m_linkFindings, id.value);
}

} // namespace heteroscape::widgets
