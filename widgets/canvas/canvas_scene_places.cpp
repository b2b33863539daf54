// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"

#include <QLineF>

#include <algorithm>

// What lies where.

namespace heteroscape::widgets {

NodeItem* CanvasScene::nodeItem(const engine::NodeId& id) const {
    catchUp();
    return itemOf(id);
}

NodeItem* CanvasScene::itemOf(const engine::NodeId& id) const {
    const auto found = m_nodes.find(id);
    return found == m_nodes.end() ? nullptr : found->second.get();
}

LinkItem* CanvasScene::linkItem(const engine::LinkId& id) const {
    catchUp();
    const auto found = m_links.find(id);
    return found == m_links.end() ? nullptr : found->second.get();
}

NodeItem* CanvasScene::nodeAt(QPointF scenePoint) const {
    catchUp();
    const QRectF spot(scenePoint - QPointF(1, 1), QSizeF(2, 2));
    for (auto* item : items(spot, Qt::IntersectsItemBoundingRect)) // the uppermost first
        if (auto* node = qgraphicsitem_cast<NodeItem*>(item); node && node->cardRect().contains(scenePoint))
            return node;
    return nullptr;
}

LinkItem* CanvasScene::linkAt(QPointF scenePoint) const {
    catchUp();
    LinkItem* found = nullptr;
    const QRectF spot(scenePoint - QPointF(12, 12), QSizeF(24, 24));
    for (auto* item : items(spot, Qt::IntersectsItemBoundingRect))
        if (auto* link = qgraphicsitem_cast<LinkItem*>(item); link && link->shape().contains(scenePoint))
            if (!found || link->id() < found->id())
                found = link;
    return found;
}

LinkItem* CanvasScene::labelAt(QPointF scenePoint) const {
    catchUp();
    if (m_zoom < kFewDetailsBelow)
        return nullptr;
    for (const auto& [id, item] : m_links)
        if (item->boundingRect().contains(scenePoint) && item->labelRect().contains(scenePoint))
            return item.get();
    return nullptr;
}

NodeItem* CanvasScene::portAt(QPointF scenePoint) const {
    catchUp();
    auto reach = kPortReach / std::max(m_zoom, kFewDetailsBelow);
    NodeItem* found = nullptr;
    const QRectF spot(scenePoint - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
    for (auto* item : items(spot, Qt::IntersectsItemBoundingRect)) {
        auto* node = qgraphicsitem_cast<NodeItem*>(item);
        if (!node)
            continue;
        for (const auto& port : sideMiddles(node->cardRect()))
            if (const auto length = QLineF(port, scenePoint).length(); length <= reach) {
                reach = length;
                found = node;
            }
    }
    return found;
}

std::vector<engine::NodeId> CanvasScene::nodesIn(const QRectF& sceneRect) const {
    std::vector<std::size_t> found;
    for (const auto* item : items(sceneRect, Qt::IntersectsItemBoundingRect))
        if (const auto* node = qgraphicsitem_cast<const NodeItem*>(item);
            node && node->cardRect().intersects(sceneRect))
            found.push_back(m_indices.at(node->id()));
    std::sort(found.begin(), found.end());
    std::vector<engine::NodeId> ids;
    for (const auto index : found)
        ids.push_back(m_nodeOrder[index]->id());
    return ids;
}

QRectF CanvasScene::contentRect(const std::vector<engine::NodeId>& ids) const {
    catchUp();
    QRectF rect;
    if (ids.empty()) {
        rect = m_notes->content();
        for (const auto* item : m_nodeOrder)
            rect |= item->sceneBoundingRect();
    } else {
        for (const auto& id : ids)
            if (const auto* item = nodeItem(id))
                rect |= item->sceneBoundingRect();
    }
    return rect;
}

} // namespace heteroscape::widgets
