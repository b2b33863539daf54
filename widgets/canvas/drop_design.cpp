// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/canvas_words.h"
#include "widgets/canvas/drop_targets.h"

namespace heteroscape::widgets {

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
