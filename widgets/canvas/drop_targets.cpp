// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/drop_targets.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/theme_icons.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace heteroscape::widgets {

void paintHint(QPainter& painter, QPointF scenePoint, const QString& text) {
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Dense, QFont::Medium);
    const auto place = painter.worldTransform().map(scenePoint);
    painter.save();
    painter.resetTransform();
    QRectF box(0, 0, QFontMetricsF(font).horizontalAdvance(text) + 20, 26);
    box.moveTopLeft(place + QPointF(14, 16));
    // Kept inside the view.
    const QRectF view = painter.viewport();
    if (box.right() > view.right() - 4)
        box.moveRight(view.right() - 4);
    if (box.bottom() > view.bottom() - 4)
        box.moveBottom(place.y() - 12);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTip(painter, box, text, font);
    painter.restore();
}

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
