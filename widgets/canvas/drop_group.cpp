// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/canvas_words.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"

#include <algorithm>

namespace heteroscape::widgets {

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

} // namespace heteroscape::widgets
