// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/multi_page.h"

#include "engine/scenario/node_fields.h"
#include "widgets/document/document.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/inspector/section.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// Above so many nodes or links only counts and bandwidths are shown: no one sets so many data sheets at
/// once, and to ask the engine for every choice of each would take too long.
constexpr std::size_t kMostForQuantities = 64;

} // namespace

MultiPage::MultiPage(Document& document, Selection subject, QWidget* parent)
    : InspectorPage(document, parent), m_subject(std::move(subject)) {
    if (!m_subject.nodes.empty())
        addNodes();
    if (!m_subject.links.empty())
        addLinks();
    if (!m_subject.nodes.empty() && m_subject.nodes.size() <= kMostForQuantities) {
        addDeviceQuantities();
        addRuntimeQuantities();
    }
}

QString MultiPage::title(const Selection& subject) {
    const auto nodes = subject.nodes.size() == 1 ? tr("1 node") : tr("%1 nodes").arg(subject.nodes.size());
    const auto links = subject.links.size() == 1 ? tr("1 link") : tr("%1 links").arg(subject.links.size());
    return subject.links.empty() ? nodes : subject.nodes.empty() ? links : tr("%1 and %2").arg(nodes, links);
}

std::string MultiPage::shape() const {
    std::string shape = "several";
    const auto nodes = byId(document().scenario().nodes);
    for (const auto& id : m_subject.nodes) {
        const auto found = nodes.find(id.value);
        if (found == nodes.end())
            return {};
        const auto* node = found->second;
        shape += '|' + id.value + '/' + node->device.id + '/' + (node->runtime ? node->runtime->id : "");
    }
    const auto links = byId(document().scenario().links);
    for (const auto& id : m_subject.links)
        if (!links.contains(id.value))
            return {};
    return shape + std::to_string(m_subject.links.size());
}

bool MultiPage::allNodes(const std::function<bool(const engine::Node&)>& is) const {
    const auto nodes = byId(document().scenario().nodes);
    return std::all_of(m_subject.nodes.begin(), m_subject.nodes.end(), [&](const engine::NodeId& id) {
        const auto found = nodes.find(id.value);
        return found != nodes.end() && is(*found->second);
    });
}

std::vector<std::string> MultiPage::nodePaths(const std::string& key) const {
    std::vector<std::string> paths;
    for (const auto& id : m_subject.nodes)
        paths.push_back("nodes." + id.value + "." + key);
    return paths;
}

void MultiPage::addQuantities(Section* section, const std::vector<std::string>& paths) {
    later(section, [=, this] {
        auto* row = new QuantityRow(document(), paths, section->body());
        connect(row, &QuantityRow::sweepRequested, this, &InspectorPage::sweepRequested); // of a single one
        section->addRow(row);
    });
}

void MultiPage::addNodeChoice(Section* section, const std::string& key, const ReadNode& read) {
    const auto readShared = [this, read]() -> std::optional<std::string> {
        std::optional<std::string> shared;
        for (const auto& id : m_subject.nodes) {
            const auto* node = document().scenario().findNode(id);
            const auto value = node ? read(*node) : std::string();
            if (!node || (shared && *shared != value))
                return std::nullopt;
            shared = value;
        }
        return shared;
    };
    later(section, [=, this, paths = nodePaths(key)] {
        addChoice(section, paths.front())->field()->setShared(paths, readShared);
    });
}

void MultiPage::addNodes() {
    auto* section = addSection(tr("System"));
    const bool accelerators =
        allNodes([](const engine::Node& node) { return engine::isAccelerator(node.device.kind); });
    const auto& first = *document().scenario().findNode(m_subject.nodes.front());
    for (const auto& field : engine::nodeFields(first, document().scenario().model))
        if (accelerators || field.member == &engine::Node::count)
            addQuantities(section, nodePaths(std::string(field.spec.key)));
    if (m_subject.nodes.size() > kMostForQuantities)
        return;
    addNodeChoice(section, "device", [](const engine::Node& node) { return node.device.id; });
    if (!accelerators)
        return;
    addNodeChoice(section, "role", [](const engine::Node& node) { return std::string(roleName(node.role)); });
    const auto kind = document().scenario().findNode(m_subject.nodes.front())->device.kind;
    if (allNodes([kind](const engine::Node& node) { return node.runtime && node.device.kind == kind; }))
        addNodeChoice(section, "runtime", [](const engine::Node& node) {
            return node.runtime ? node.runtime->id : std::string();
        });
}

void MultiPage::addDeviceQuantities() {
    const std::pair<QuantityGroup, QString> groups[] = {{QuantityGroup::Compute, tr("Compute")},
                                                        {QuantityGroup::Memory, tr("Memory")},
                                                        {QuantityGroup::L2, tr("L2")},
                                                        {QuantityGroup::Cost, tr("Cost and power")},
                                                        {QuantityGroup::Die, tr("Cores and area")}};
    for (const auto& [group, title] : groups) {
        Section* section = nullptr;
        for (const auto& field : engine::deviceFields()) {
            const auto& key = field.spec.key;
            if (quantityGroup(key) != group || !allNodes([&](const engine::Node& node) {
                    return (node.device.*field.member).isSet() || quantityMatters(key, node.device.kind);
                }))
                continue;
            if (!section)
                section = addSection(title);
            addQuantities(section, nodePaths("device." + std::string(key)));
        }
        if (section && group == QuantityGroup::Die)
            section->setOpen(false);
    }
}

void MultiPage::addRuntimeQuantities() {
    if (!allNodes([](const engine::Node& node) { return node.runtime.has_value(); }))
        return;
    Section* section = nullptr;
    // What all of them have, by its path: their runtimes may name different kinds.
    const auto has = [](const engine::Node& node, const std::string& path) {
        const auto quantities = engine::runtimeQuantities(*node.runtime);
        return std::any_of(quantities.begin(), quantities.end(),
                           [&](const auto& at) { return at.path == path && at.quantity->isSet(); });
    };
    const auto* first = document().scenario().findNode(m_subject.nodes.front());
    for (const auto& quantity : engine::runtimeQuantities(*first->runtime)) {
        if (!allNodes([&](const engine::Node& node) { return has(node, quantity.path); }))
            continue;
        if (!section)
            section = addSection(tr("Runtime constants"));
        addQuantities(section, nodePaths(quantity.path));
    }
    if (section)
        section->setOpen(false);
}

void MultiPage::addLinkType(Section* section) {
    std::vector<std::string> types;
    for (const auto& id : m_subject.links)
        types.push_back("links." + id.value + ".type");
    addChoice(section, types.front())->field()->setShared(types, [this]() -> std::optional<std::string> {
        std::optional<std::string> shared;
        for (const auto& id : m_subject.links) {
            const auto* link = document().scenario().findLink(id);
            if (!link || (shared && *shared != link->type.id))
                return std::nullopt;
            shared = link->type.id;
        }
        return shared;
    });
}

void MultiPage::addLinks() {
    auto* section = addSection(tr("Connection"));
    if (m_subject.links.size() <= kMostForQuantities)
        later(section, [=, this] { addLinkType(section); });
    for (const auto& field : engine::linkTypeFields()) {
        std::vector<std::string> paths;
        for (const auto& id : m_subject.links)
            paths.push_back("links." + id.value + "." + std::string(field.spec.key));
        addQuantities(section, paths);
    }
}

} // namespace heteroscape::widgets

#include "moc_multi_page.cpp"
