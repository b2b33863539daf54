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
        if (part.kind == PartKind::Model) {
            const auto* model = findPart(document.catalog().models, part.id);
            const auto name = QString::fromStdString(model->name);
            m_plan.hint = tr("Serve %1").arg(name);
            m_plan.edit = engine::SetModel{*model};
            if (scenario.model == *model)
                isSo(tr("%1 is served already").arg(name));
        } else {
            const auto* workload = findPart(document.catalog().workloads, part.id);
            const auto name = QString::fromStdString(workload->name);
            m_plan.hint = tr("Use the workload %1").arg(name);
            m_plan.edit = engine::SetWorkload{*workload};
            if (scenario.workload == *workload)
                isSo(tr("The workload is %1 already").arg(name));
        }
    }

    DropPlan at(const DropPoint&) const override { return m_plan; }

private:
    void isSo(const QString& hint) {
        m_plan.verdict = DropPlan::Verdict::Already;
        m_plan.hint = hint;
        m_plan.edit.reset();
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
