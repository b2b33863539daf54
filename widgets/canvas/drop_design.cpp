// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/claims/claims.h"
#include "engine/scenario/technique_targets.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/canvas/part_edits.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// A technique: dropped on any node or link that it can change, it acts on all of them, as it is one of the
/// system.
class TechniqueDrop : public DropTargets {
public:
    TechniqueDrop(std::string id, const Document& document, const CanvasScene& scene)
        : DropTargets(document, scene), m_id(std::move(id)), m_kind(engine::techniqueOf(m_id)),
          m_targets(document.scenario()) {
        for (const auto& node : document.scenario().nodes)
            if (m_targets.refusal(m_kind, node.id).empty())
                m_nodes.push_back(node.id);
        for (const auto& link : document.scenario().links)
            if (m_targets.refusal(m_kind, link.id).empty())
                m_links.push_back(link.id);
    }

    DropPlan at(const DropPoint& point) const override {
        DropPlan plan;
        std::string refusal;
        if (const auto* node = nodeAt(point.pointer)) {
            plan.nodes = {node->id};
            refusal = m_targets.refusal(m_kind, node->id);
        } else if (const auto* link = linkAt(point.pointer)) {
            plan.links = {link->id};
            refusal = m_targets.refusal(m_kind, link->id);
        } else {
            plan.hint = m_nodes.empty() ? tr("%1 changes nothing here yet").arg(techniqueLabel(m_id))
                                        : tr("Drop %1 on what it changes").arg(techniqueLabel(m_id));
            return plan;
        }
        if (!refusal.empty()) {
            plan.hint = QString::fromStdString(refusal);
            return plan;
        }
        plan.nodes = m_nodes;
        plan.links = m_links;
        if (isTechniqueOn(m_document.scenario(), m_id)) {
            plan.verdict = DropPlan::Verdict::Already;
            plan.hint = tr("%1 is on already").arg(techniqueLabel(m_id));
            return plan;
        }
        plan.verdict = DropPlan::Verdict::Takes;
        plan.hint = switchWords(m_id, true);
        plan.edit = techniqueEdit(m_document.scenario(), m_id, true);
        return plan;
    }

private:
    std::string m_id;
    const engine::Technique& m_kind;
    engine::TechniqueTargets m_targets;
};

} // namespace

std::unique_ptr<DropTargets> techniqueTargets(const std::string& id, const Document& document,
                                              const CanvasScene& scene) {
    return std::make_unique<TechniqueDrop>(id, document, scene);
}

namespace {

/// A ready group: its nodes and links, where there is room for all of them.
class GroupTargets : public DropTargets {
public:
    GroupTargets(engine::ReadyGroup group, const Document& document, const CanvasScene& scene)
        : DropTargets(document, scene), m_group(std::move(group)), m_size(groupSize(m_group)) {}

    std::optional<NodeCard> ghost() const override {
        auto card = cardOf(m_group.clip.nodes.front().device);
        card.name = QString::fromStdString(m_group.name);
        return card;
    }

    DropPlan at(const DropPoint& point) const override {
        DropPlan plan;
        plan.verdict = DropPlan::Verdict::Takes;
        plan.place = freePlaceNear(m_scene, point.corner, m_size);
        plan.hint = tr("Place %1").arg(QString::fromStdString(m_group.name));
        return plan;
    }

    void drop(CanvasView& view, const DropPlan& plan) const override {
        view.placing().addGroup(m_group, *plan.place);
    }

private:
    const engine::ReadyGroup m_group;
    const QSizeF m_size;
};

} // namespace

QSizeF groupSize(const engine::ReadyGroup& group) {
    QRectF cards;
    for (const auto& node : group.clip.nodes)
        cards |= QRectF(QPointF(node.position.x, node.position.y),
                        QSizeF(kCardWidth, cardHeight(cardOf(node.device))));
    return cards.size();
}

std::unique_ptr<DropTargets> groupTargets(engine::ReadyGroup group, const Document& document,
                                          const CanvasScene& scene) {
    return std::make_unique<GroupTargets>(std::move(group), document, scene);
}

namespace {

template <class Parts>
const auto* findPart(const Parts& parts, const std::string& id) {
    for (const auto& part : parts)
        if (part.id == id)
            return &part;
    return static_cast<decltype(parts.data())>(nullptr);
}

/// A model or a workload: it replaces that of the design, wherever it is dropped.
class SettingTargets : public DropTargets {
public:
    SettingTargets(const PartRef& part, const Document& document, const CanvasScene& scene)
        : DropTargets(document, scene) {
        m_plan.everywhere = true;
        m_plan.verdict = DropPlan::Verdict::Takes;
        const auto& scenario = document.scenario();
        if (part.kind == PartKind::Model)
            take<engine::SetModel>(*findPart(document.catalog().models, part.id), scenario.model,
                                   tr("Serve %1"), tr("%1 is served already"));
        else
            take<engine::SetWorkload>(*findPart(document.catalog().workloads, part.id), scenario.workload,
                                      tr("Use the workload %1"), tr("The workload is %1 already"));
    }

    DropPlan at(const DropPoint&) const override { return m_plan; }

private:
    template <class Edit, class Setting>
    void take(const Setting& part, const Setting& now, const QString& hint, const QString& already) {
        const bool isSo = now == part;
        m_plan.hint = (isSo ? already : hint).arg(QString::fromStdString(part.name));
        if (isSo)
            m_plan.verdict = DropPlan::Verdict::Already;
        else
            m_plan.edit = Edit{part};
    }

    DropPlan m_plan;
};

/// A preset: the window opens it, which may ask what becomes of this design.
class PresetTargets : public DropTargets {
public:
    PresetTargets(std::string id, const Document& document, const CanvasScene& scene)
        : DropTargets(document, scene), m_id(std::move(id)) {
        const auto presets = engine::listPresets(document.catalog());
        m_plan.everywhere = true;
        if (const auto* preset = findPart(presets, m_id)) {
            m_plan.verdict = DropPlan::Verdict::Takes;
            m_plan.hint = tr("Open %1").arg(QString::fromStdString(preset->name));
        } else {
            m_plan.hint = tr("There is no preset \"%1\"").arg(QString::fromStdString(m_id).left(80));
        }
    }

    DropPlan at(const DropPoint&) const override { return m_plan; }
    void drop(CanvasView& view, const DropPlan&) const override {
        emit view.placing().presetDropped(QString::fromStdString(m_id));
    }

private:
    std::string m_id;
    DropPlan m_plan;
};

} // namespace

std::unique_ptr<DropTargets> designTargets(const PartRef& part, const Document& document,
                                           const CanvasScene& scene) {
    if (part.kind == PartKind::Preset)
        return std::make_unique<PresetTargets>(part.id, document, scene);
    return std::make_unique<SettingTargets>(part, document, scene);
}

} // namespace heteroscape::widgets
