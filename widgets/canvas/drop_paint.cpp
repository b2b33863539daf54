// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/drop_paint.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kRingGap = 5;

template <class Id>
bool contains(const std::vector<Id>& ids, const Id& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

QPen ring(const QColor& color, double width, Qt::PenStyle style) {
    return {color, width, style, Qt::RoundCap, Qt::RoundJoin};
}

void paintAround(QPainter& painter, const QRectF& card) {
    painter.drawRoundedRect(card.adjusted(-kRingGap, -kRingGap, kRingGap, kRingGap), kCardRadius + kRingGap,
                            kCardRadius + kRingGap);
}

void paintAlong(QPainter& painter, const LinkItem& link) {
    painter.drawPath(roundedPath(link.route(), kLinkCorner));
}

void paintGhost(QPainter& painter, const NodeCard& card, QPointF place, CanvasView& view) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(ring(Theme::instance().color(ColorRole::Accent), 2, Qt::DashLine));
    paintAround(painter, {place, QSizeF(kCardWidth, cardHeight(card))});
    painter.translate(place);
    painter.setOpacity(0.7);
    paintNodeCard(painter, card, {view.camera().zoom(), view.devicePixelRatioF()});
    painter.translate(-place);
}

void paintFrame(QPainter& painter, const QColor& color) {
    painter.save();
    painter.resetTransform();
    painter.setPen(ring(color, 3, Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(painter.viewport()).adjusted(5, 5, -5, -5), kCardRadius, kCardRadius);
    painter.restore();
}

} // namespace

void paintDropPlan(QPainter& painter, const DropPlan& plan, const DropTargets* targets, CanvasView& view) {
    const auto& theme = Theme::instance();
    const auto& scene = view.canvasScene();
    const bool refused = plan.verdict == DropPlan::Verdict::Refused;
    const auto strong = theme.color(refused ? ColorRole::Error : ColorRole::Accent);
    painter.save();
    painter.setBrush(Qt::NoBrush);
    // Rings keep their width far away, so that they are seen there too.
    const auto scale = 1.0 / std::min(1.0, view.camera().zoom());
    if (targets) {
        painter.setPen(ring(theme.color(ColorRole::Accent), 1.5 * scale, Qt::DashLine));
        painter.setOpacity(0.6);
        for (const auto& id : targets->nodes())
            if (const auto* item = scene.nodeItem(id); item && !contains(plan.nodes, id))
                paintAround(painter, item->cardRect());
        for (const auto& id : targets->links())
            if (const auto* item = scene.linkItem(id); item && !contains(plan.links, id))
                paintAlong(painter, *item);
        painter.setOpacity(1.0);
    }
    painter.setPen(ring(strong, 3 * scale, Qt::SolidLine));
    for (const auto& id : plan.nodes)
        if (const auto* item = scene.nodeItem(id))
            paintAround(painter, item->cardRect());
    for (const auto& id : plan.links)
        if (const auto* item = scene.linkItem(id))
            paintAlong(painter, *item);
    if (plan.everywhere)
        paintFrame(painter, strong);
    if (const auto ghost = targets && plan.place ? targets->ghost() : std::nullopt)
        paintGhost(painter, *ghost, *plan.place, view);
    painter.restore();
}

} // namespace heteroscape::widgets
