// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/technique_targets.h"
#include "widgets/canvas/canvas_words.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/part_edits.h"

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

} // namespace heteroscape::widgets
