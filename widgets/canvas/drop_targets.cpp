// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/drop_targets.h"

#include "widgets/canvas/canvas_view.h"

namespace heteroscape::widgets {

void DropTargets::drop(CanvasView& view, const DropPlan& plan) const {
    if (plan.edit && view.document().perform(*plan.edit) && plan.nodes.size() == 1)
        view.document().select({plan.nodes, {}});
}

const engine::Node* DropTargets::nodeAt(QPointF point) const {
    const auto* item = m_scene.nodeAt(point);
    return item ? m_document.scenario().findNode(item->id()) : nullptr;
}

const engine::Link* DropTargets::linkAt(QPointF point) const {
    const auto* item = m_scene.nodeAt(point) ? nullptr : m_scene.linkAt(point);
    return item ? m_document.scenario().findLink(item->id()) : nullptr;
}

std::unique_ptr<DropTargets> dropTargets(const PartRef& part, const Document& document,
                                         const CanvasScene& scene) {
    switch (part.kind) {
    case PartKind::Group:
        return groupTargets(engine::loadGroup(document.catalog(), part.id), document, scene);
    case PartKind::Device:
        if (const auto* device = findDevice(document.catalog(), part.id))
            return deviceTargets(*device, document, scene);
        break;
    case PartKind::Runtime:
        if (const auto* runtime = document.catalog().findRuntime(part.id))
            return runtimeTargets(*runtime, document, scene);
        break;
    case PartKind::Technique:
        return techniqueTargets(part.id, document, scene);
    case PartKind::Layout:
        return layoutTargets(part.id == kTensorParallel, document, scene);
    case PartKind::Model:
    case PartKind::Workload:
    case PartKind::Preset:
        return designTargets(part, document, scene);
    }
    return nullptr;
}

} // namespace heteroscape::widgets
