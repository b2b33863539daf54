// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_scene.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/node_problems.h"
#include "widgets/theme/theme.h"

#include <QLineF>
#include <QPainter>

#include <cmath>

namespace heteroscape::widgets {

CanvasScene::CanvasScene(Document& document, QObject* parent)
    : QGraphicsScene(parent), m_document(document), m_remedies(RemedyFinder::of(document)) {
    // Nearly endless, so that panning never hits a wall; the index would only cost time for a few items.
    setSceneRect(-50000, -50000, 100000, 100000);
    setItemIndexMethod(NoIndex);
    connect(&document, &Document::changed, this, &CanvasScene::sync);
    connect(&document, &Document::evaluated, this, &CanvasScene::refreshItems);
    connect(&document, &Document::reset, this, &CanvasScene::sync);
    connect(&m_remedies, &RemedyFinder::found, this, [this] {
        refreshItems();
        reroute(); // cards may be higher now
    });
    connect(&document, &Document::selectionChanged, this, &CanvasScene::refreshItems);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    sync();
}

CanvasScene::~CanvasScene() {
    // The maps own the items: they leave the scene before it goes.
    m_links.clear();
    m_nodes.clear();
}

void CanvasScene::sync() {
    const auto& scenario = m_document.scenario();
    std::erase_if(m_links, [&](const auto& entry) { return !scenario.findLink(entry.first); });
    std::erase_if(m_nodes, [&](const auto& entry) { return !scenario.findNode(entry.first); });
    double height = 2.0; // over the links, later nodes over earlier ones
    for (const auto& node : scenario.nodes) {
        auto& item = m_nodes[node.id];
        if (!item) {
            item = std::make_unique<NodeItem>(*this, node.id);
            addItem(item.get());
        }
        item->setPos(toPoint(node.position));
        item->setZValue(height += 1e-6);
    }
    for (const auto& link : scenario.links) {
        auto& item = m_links[link.id];
        if (!item) {
            item = std::make_unique<LinkItem>(*this, link.id);
            addItem(item.get());
        }
    }
    refreshItems();
    reroute();
    update();
}

void CanvasScene::refreshItems() {
    const engine::TechniqueTargets targets(m_document.scenario());
    for (const auto& [id, item] : m_nodes)
        item->refresh(m_document, targets);
    for (const auto& [id, item] : m_links)
        item->refresh(m_document, targets);
}

const std::vector<engine::Remedy>& CanvasScene::knownRemedies(const engine::NodeId& id) const {
    static const std::vector<engine::Remedy> kNone;
    for (const auto& problem : problemsAt(m_document, id))
        if (const auto* known = m_remedies.known(problem.finding); known && !known->empty())
            return *known;
    return kNone;
}

void CanvasScene::askRemedies(const engine::NodeId& id) const {
    for (const auto& problem : problemsAt(m_document, id))
        m_remedies.ask(problem.finding);
}

void CanvasScene::reroute() {
    const auto& scenario = m_document.scenario();
    std::map<engine::NodeId, std::size_t> index;
    std::vector<QRectF> rects;
    std::vector<std::vector<QPointF>> ports(scenario.nodes.size());
    for (const auto& node : scenario.nodes) {
        index[node.id] = rects.size();
        const auto* item = nodeItem(node.id);
        rects.push_back(item ? item->cardRect() : cardRectAt(toPoint(node.position)));
    }
    std::vector<LinkEnds> ends;
    std::vector<LinkItem*> items;
    for (const auto& link : scenario.links) {
        if (!index.contains(link.from) || !index.contains(link.to))
            continue;
        ends.push_back({index[link.from], index[link.to]});
        items.push_back(linkItem(link.id));
    }
    const auto routes = routeLinks(rects, ends);
    for (std::size_t i = 0; i < routes.size(); ++i) {
        if (items[i])
            items[i]->setRoute(routes[i]);
        ports[ends[i].from].push_back(routes[i].first());
        ports[ends[i].to].push_back(routes[i].last());
    }
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (auto* item = nodeItem(scenario.nodes[i].id))
            item->setPorts(std::move(ports[i]));
}

NodeItem* CanvasScene::nodeItem(const engine::NodeId& id) const {
    const auto found = m_nodes.find(id);
    return found == m_nodes.end() ? nullptr : found->second.get();
}

LinkItem* CanvasScene::linkItem(const engine::LinkId& id) const {
    const auto found = m_links.find(id);
    return found == m_links.end() ? nullptr : found->second.get();
}

NodeItem* CanvasScene::nodeAt(QPointF scenePoint) const {
    const auto& nodes = m_document.scenario().nodes;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
        if (auto* item = nodeItem(node->id); item && item->cardRect().contains(scenePoint))
            return item;
    return nullptr;
}

LinkItem* CanvasScene::linkAt(QPointF scenePoint) const {
    for (const auto& [id, item] : m_links)
        if (item->shape().contains(scenePoint))
            return item.get();
    return nullptr;
}

LinkItem* CanvasScene::labelAt(QPointF scenePoint) const {
    if (m_zoom < kFewDetailsBelow)
        return nullptr;
    for (const auto& [id, item] : m_links)
        if (item->boundingRect().contains(scenePoint) && item->labelRect().contains(scenePoint))
            return item.get();
    return nullptr;
}

NodeItem* CanvasScene::portAt(QPointF scenePoint) const {
    const auto reach = kPortReach / std::max(m_zoom, kFewDetailsBelow);
    for (const auto& [id, item] : m_nodes)
        for (const auto& port : sideMiddles(item->cardRect()))
            if (QLineF(port, scenePoint).length() <= reach)
                return item.get();
    return nullptr;
}

std::vector<engine::NodeId> CanvasScene::nodesIn(const QRectF& sceneRect) const {
    std::vector<engine::NodeId> ids;
    for (const auto& node : m_document.scenario().nodes)
        if (const auto* item = nodeItem(node.id); item && item->cardRect().intersects(sceneRect))
            ids.push_back(node.id);
    return ids;
}

void CanvasScene::previewMove(const std::vector<engine::MoveNode>& moves) {
    for (const auto& move : moves)
        if (auto* item = nodeItem(move.id))
            item->setPos(toPoint(move.position));
    reroute();
}

void CanvasScene::resetPositions() {
    for (const auto& node : m_document.scenario().nodes)
        if (auto* item = nodeItem(node.id))
            item->setPos(toPoint(node.position));
    reroute();
}

QRectF CanvasScene::contentRect(const std::vector<engine::NodeId>& ids) const {
    QRectF rect;
    if (ids.empty()) {
        for (const auto& [id, item] : m_nodes)
            rect |= item->sceneBoundingRect();
    } else {
        for (const auto& id : ids)
            if (const auto* item = nodeItem(id))
                rect |= item->sceneBoundingRect();
    }
    return rect;
}

void CanvasScene::setZoom(double zoom) {
    m_zoom = zoom;
}

void CanvasScene::drawBackground(QPainter* painter, const QRectF& rect) {
    const auto& theme = Theme::instance();
    painter->fillRect(rect, theme.color(ColorRole::Canvas));
    // Far away the dots would only grey the canvas.
    if (m_zoom < 0.4)
        return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.color(ColorRole::Dot));
    for (auto y = std::floor(rect.top() / kDotPitch) * kDotPitch; y <= rect.bottom(); y += kDotPitch)
        for (auto x = std::floor(rect.left() / kDotPitch) * kDotPitch; x <= rect.right(); x += kDotPitch)
            painter->drawEllipse(QPointF(x, y), 0.9, 0.9);
}

} // namespace heteroscape::widgets
