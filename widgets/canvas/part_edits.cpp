// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/part_edits.h"

#include "widgets/canvas/canvas_metrics.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

struct RoleWords {
    Q_DECLARE_TR_FUNCTIONS(Canvas)
public:
    static constexpr std::array<const char*, 7> kOf{// in the order of engine::Role
                                                    QT_TR_NOOP("prefill and decode"),
                                                    QT_TR_NOOP("prefill"),
                                                    QT_TR_NOOP("decode"),
                                                    QT_TR_NOOP("carries data only"),
                                                    QT_TR_NOOP("attention near storage"),
                                                    QT_TR_NOOP("storage"),
                                                    QT_TR_NOOP("FFN alone")};
};

bool sameQuantities(const engine::LinkType& a, const engine::LinkType& b) {
    return a.bandwidth.value == b.bandwidth.value && a.latency.value == b.latency.value;
}

} // namespace

QString techniqueLabel(std::string_view technique) {
    const auto* kind = engine::techniqueKinds().find(technique);
    return kind ? QString::fromUtf8(kind->label()) : QString();
}

bool isTechniqueOn(const engine::Scenario& scenario, std::string_view technique) {
    const auto* kind = engine::techniqueKinds().find(technique);
    return kind && scenario.techniques.isOn(*kind);
}

QString switchWords(std::string_view technique, bool on) {
    const auto* kind = engine::techniqueKinds().find(technique);
    return kind ? QString::fromStdString(kind->switchWords(on)) : QString();
}

engine::EditList techniqueEdit(const engine::Scenario& scenario, std::string_view technique, bool on) {
    engine::EditList list{{engine::SetTechnique{std::string(technique), on}},
                          switchWords(technique, on).toStdString()};
    if (const auto* kind = engine::techniqueKinds().find(technique); kind && on)
        kind->addEdits(scenario, list);
    return list;
}

engine::EditList layoutEdit(const engine::NodeId& node, bool shared) {
    const auto one = shared ? engine::Quantity{1.0, engine::Provenance::User, {}} : engine::Quantity{};
    return {{engine::SetQuantity{"nodes." + node.value + ".replicas", one}}};
}

std::vector<engine::Role> commonRoles(const engine::Scenario& scenario,
                                      const std::vector<engine::NodeId>& nodes) {
    std::vector<engine::Role> roles;
    bool first = true;
    for (const auto& id : nodes) {
        const auto* node = scenario.findNode(id);
        if (!node)
            continue;
        const auto own = engine::rolesOf(node->device.kind);
        if (first)
            roles.assign(own.begin(), own.end());
        else
            std::erase_if(roles, [own](engine::Role role) {
                return std::find(own.begin(), own.end(), role) == own.end();
            });
        first = false;
    }
    return roles;
}

QString roleWords(engine::Role role, bool computes) {
    return computes && role == engine::Role::Attention
               ? tr("attention alone")
               : RoleWords::tr(RoleWords::kOf[static_cast<std::size_t>(role)]);
}

engine::EditList roleEdit(const engine::Scenario& scenario, const std::vector<engine::NodeId>& nodes,
                          engine::Role role) {
    engine::EditList list;
    for (const auto& id : nodes)
        if (const auto* node = scenario.findNode(id); node && node->role != role)
            list.edits.push_back(engine::SetRole{id, role});
    return list;
}

QString roleWithoutEffect(const engine::Scenario& scenario, const engine::Node& node) {
    if (engine::isAccelerator(node.device.kind) && node.role != engine::Role::Fabric &&
        !engine::splitsLayers(node) && !scenario.techniques.isOn(engine::disaggregation()))
        return node.role == engine::Role::Both
                   ? tr("Every accelerator serves whole requests while prefill and decode are not split")
                   : tr("Its role \"%1\" has no effect until prefill and decode are split")
                         .arg(roleWords(node.role, true));
    if (engine::attendsNearStorage(node) && !scenario.techniques.isOn(engine::attentionNearStorage()))
        return tr("It only stores while attention near storage is off");
    return {};
}

std::vector<const engine::LinkType*> linkKinds(const Document& document,
                                               const std::vector<engine::LinkId>& links) {
    const auto& scenario = document.scenario();
    std::vector<const engine::LinkType*> kinds;
    bool first = true;
    for (const auto& id : links) {
        const auto* link = scenario.findLink(id);
        const auto* from = link ? scenario.findNode(link->from) : nullptr;
        const auto* to = link ? scenario.findNode(link->to) : nullptr;
        if (!from || !to)
            return {};
        const auto own = document.catalog().linkOffers(from->device, to->device);
        if (first)
            kinds = own;
        else
            std::erase_if(kinds, [&own](const auto* kind) {
                return std::find(own.begin(), own.end(), kind) == own.end();
            });
        first = false;
    }
    return kinds;
}

QString linkKindText(const engine::LinkType& type) {
    return tr("%1   %2 GB/s")
        .arg(QString::fromStdString(type.name),
             QString::fromStdString(engine::plainText(type.bandwidth.value / engine::units::giga)));
}

engine::EditList linkKindEdit(const engine::Scenario& scenario, const std::vector<engine::LinkId>& links,
                              const engine::LinkType& type) {
    engine::EditList list;
    for (const auto& id : links)
        if (const auto* link = scenario.findLink(id); link && link->type != type)
            list.edits.push_back(engine::SetLinkType{id, type});
    return list;
}

const engine::LinkType* editedFrom(const Document& document, const engine::Link& link) {
    for (const auto& type : document.catalog().linkTypes)
        if (type.id == link.type.id)
            return sameQuantities(type, link.type) ? nullptr : &type;
    return nullptr;
}

} // namespace heteroscape::widgets
