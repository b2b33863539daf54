// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/canvas_words.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kGap = 3 * kSnap;  ///< between a card that makes way and its neighbour
constexpr double kFarthest = 60000; ///< beyond any design

/// A device: one more on a node of the same, else a new node where there is room.
class DeviceTargets : public DropTargets {
public:
    DeviceTargets(const engine::Device& device, const Document& document, const CanvasScene& scene)
        : DropTargets(document, scene), m_device(device), m_card(cardOf(device)) {
        for (const auto& node : document.scenario().nodes)
            if (node.device.id == device.id)
                m_nodes.push_back(node.id);
    }

    std::optional<NodeCard> ghost() const override { return m_card; }

    DropPlan at(const DropPoint& point) const override {
        DropPlan plan;
        plan.verdict = DropPlan::Verdict::Takes;
        const auto* under = nodeAt(point.pointer);
        if (under && under->device.id == m_device.id) {
            plan.nodes = {under->id};
            const auto edit = countEdit(m_document, {under->id}, +1);
            const auto count = static_cast<int>(std::lround(under->count.valueOr(1.0)));
            if (edit.edits.empty()) {
                plan.verdict = DropPlan::Verdict::Refused;
                plan.hint = tr("A node can have %1 devices at most").arg(count);
                return plan;
            }
            plan.hint = tr("Add one: %1 cards").arg(count + 1);
            plan.edit = edit;
            return plan;
        }
        plan.place = freePlaceNear(m_scene, point.corner, {kCardWidth, cardHeight(m_card)});
        if (under)
            plan.hint = tr("Place %1 beside %2").arg(m_card.name, QString::fromStdString(under->shownName()));
        else if (*plan.place != point.corner)
            plan.hint = tr("Place %1 where there is room").arg(m_card.name);
        return plan;
    }

    void drop(CanvasView& view, const DropPlan& plan) const override {
        if (plan.place)
            view.placing().addNode(m_device, *plan.place);
        else
            DropTargets::drop(view, plan);
    }

private:
    const engine::Device m_device; ///< a copy: placing it may change what the catalogue holds
    const NodeCard m_card;
};

} // namespace

QPointF freePlaceNear(const CanvasScene& scene, QPointF wanted, QSizeF size, bool besideNotes) {
    const auto isFree = [&](QPointF place, double gap) {
        const auto room = QRectF(place, size).adjusted(-gap, -gap, gap, gap);
        return scene.nodesIn(room).empty() && !(besideNotes && !scene.notes().notesIn(room).empty());
    };
    if (isFree(wanted, 0.0))
        return wanted;
    // Squares around it, wider apart the farther away; of each the nearest place.
    for (double reach = kSnap; reach < kFarthest;) {
        const auto step = std::max(kSnap, std::floor(reach / 8 / kSnap) * kSnap);
        std::optional<QPointF> best;
        for (double along = -reach; along <= reach; along += step)
            for (const auto& offset : {QPointF(along, -reach), QPointF(along, reach), QPointF(-reach, along),
                                       QPointF(reach, along)}) {
                const auto length = QLineF({}, offset).length();
                if ((!best || length < QLineF(wanted, *best).length()) && isFree(wanted + offset, kGap))
                    best = wanted + offset;
            }
        if (best)
            return *best;
        reach += step;
    }
    return wanted;
}

std::unique_ptr<DropTargets> deviceTargets(const engine::Device& device, const Document& document,
                                           const CanvasScene& scene) {
    return std::make_unique<DeviceTargets>(device, document, scene);
}

} // namespace heteroscape::widgets
