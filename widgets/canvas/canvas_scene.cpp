// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_scene.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/theme/theme.h"

#include <QGraphicsSceneHelpEvent>
#include <QGraphicsView>
#include <QLineF>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <unordered_set>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kIndexDepth = 12; ///< leaves of some 1,500 px: a window sees a few

} // namespace

CanvasScene::CanvasScene(Document& document, QObject* parent)
    : QGraphicsScene(parent), m_document(document), m_remedies(RemedyFinder::of(document)),
      m_slices([this] { return refreshSome(); }) {
    // Nearly endless, so that panning never hits a wall.
    setSceneRect(-50000, -50000, 100000, 100000);
    setBspTreeDepth(kIndexDepth);
    m_due.setSingleShot(true);
    connect(&m_due, &QTimer::timeout, this, &CanvasScene::sync);
    connect(&document, &Document::changed, this, &CanvasScene::follow);
    connect(&document, &Document::evaluated, this, &CanvasScene::refreshItems);
    connect(&document, &Document::reset, this, &CanvasScene::follow);
    connect(&m_remedies, &RemedyFinder::found, this, &CanvasScene::takeAdvice);
    connect(&LayoutFinder::of(document), &LayoutFinder::found, this, &CanvasScene::takeAdvice);
    connect(&document, &Document::selectionChanged, this, &CanvasScene::markSelected);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_cards.clear();
        m_dots.forget();
        update();
    });
    sync();
    m_notes = std::make_unique<NoteLayer>(*this, document);
}

CanvasScene::~CanvasScene() {
    // The maps and the layer own the items: they leave the scene before it goes.
    m_notes.reset();
    m_links.clear();
    m_nodes.clear();
}

void CanvasScene::syncItems() {
    const auto& scenario = m_document.scenario();
    bool others =
        m_unrouted || m_nodeOrder.size() != scenario.nodes.size() || m_ends.size() != scenario.links.size();
    for (std::size_t i = 0; !others && i < scenario.nodes.size(); ++i)
        others = m_nodeOrder[i]->id() != scenario.nodes[i].id;
    for (std::size_t i = 0; !others && i < scenario.links.size(); ++i)
        others = !m_linkOrder[i] || m_linkOrder[i]->id() != scenario.links[i].id ||
                 m_ends[i] != std::pair{scenario.links[i].from, scenario.links[i].to};
    if (!others)
        return;
    m_unrouted = true;
    std::set<engine::NodeId> nodes;
    std::set<engine::LinkId> links;
    for (const auto& node : scenario.nodes)
        nodes.insert(node.id);
    for (const auto& link : scenario.links)
        links.insert(link.id);
    std::erase_if(m_links, [&](const auto& entry) { return !links.contains(entry.first); });
    std::erase_if(m_nodes, [&](const auto& entry) { return !nodes.contains(entry.first); });
    m_nodeOrder.clear();
    m_linkOrder.clear();
    m_indices.clear();
    m_ends.clear();
    double height = 2.0; // over the links, later nodes over earlier ones
    for (const auto& node : scenario.nodes) {
        auto& item = m_nodes[node.id];
        if (!item) {
            item = std::make_unique<NodeItem>(*this, node.id);
            addItem(item.get());
        }
        item->setLevel(height += 1e-6);
        m_indices[node.id] = m_nodeOrder.size();
        m_nodeOrder.push_back(item.get());
    }
    for (const auto& link : scenario.links) {
        auto& item = m_links[link.id];
        if (!item) {
            item = std::make_unique<LinkItem>(*this, link.id);
            addItem(item.get());
        }
        m_linkOrder.push_back(item.get());
        m_ends.emplace_back(link.from, link.to);
    }
}

void CanvasScene::follow() {
    const auto& scenario = m_document.scenario();
    if (std::max(scenario.nodes.size(), m_nodeOrder.size()) <= kNodesAtOnce &&
        std::max(scenario.links.size(), m_linkOrder.size()) <= kLinksAtOnce) {
        sync();
        return;
    }
    m_unreadNodes.clear(); // nothing of the design as it was is read any more
    m_unreadLinks.clear();
    m_late = true;
    m_due.start(0);
}

void CanvasScene::catchUp() const {
    if (m_due.isActive())
        const_cast<CanvasScene*>(this)->sync(); // as if it had been done at once
}

void CanvasScene::finish() {
    catchUp();
    m_slices.finish();
}

std::size_t CanvasScene::linkCount() const {
    catchUp();
    return m_linkOrder.size();
}

const std::vector<NodeItem*>& CanvasScene::nodes() const {
    catchUp();
    return m_nodeOrder;
}

void CanvasScene::sync() {
    m_due.stop();
    restoreWords();
    syncItems();
    m_previewed.clear();
    const auto& nodes = m_document.scenario().nodes;
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        m_nodeOrder[i]->setPos(toPoint(nodes[i].position));
        if (!m_unrouted && m_nodeOrder[i]->pos() != m_router.rect(i).topLeft())
            moved.push_back(i);
    }
    m_placed = m_placed || !moved.empty();
    if (!moved.empty() && moved.size() <= kNodesAtOnce) // the links of so few go with them
        routeMoved(moved);
    refreshItems();
}

namespace {

/// Every index, those that are `wanted` at the end.
std::vector<std::size_t> wantedLast(std::size_t count, const std::function<bool(std::size_t)>& wanted) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::stable_partition(indices.begin(), indices.end(), [&](std::size_t i) { return !wanted(i); });
    return indices;
}

} // namespace

void CanvasScene::refreshItems() {
    if (m_due.isActive())
        return; // it comes to this
    markSelected();
    QRectF seen;
    for (const auto* view : views())
        seen |= view->mapToScene(view->viewport()->rect()).boundingRect();
    std::unordered_set<const void*> inSight;
    for (const auto* item : m_nodeOrder)
        if (item->sceneBoundingRect().intersects(seen))
            inSight.insert(item);
    m_unreadNodes =
        wantedLast(m_nodeOrder.size(), [&](std::size_t i) { return inSight.contains(m_nodeOrder[i]); });
    m_unreadLinks = wantedLast(m_linkOrder.size(), [&](std::size_t i) {
        return inSight.contains(itemOf(m_ends[i].first)) || inSight.contains(itemOf(m_ends[i].second));
    });
    m_index = std::make_unique<DesignIndex>(m_document);
    m_slices.start();
    m_late = m_late || m_slices.isBusy();
}

void CanvasScene::takeAdvice() {
    m_advised = m_slices.isBusy() || m_due.isActive();
    if (m_advised)
        return;
    std::vector<std::size_t> grown;
    for (std::size_t i = 0; i < m_nodeOrder.size(); ++i)
        if (m_nodeOrder[i]->takeAdvice(m_document.scenario().nodes[i]))
            grown.push_back(i);
    if (grown.empty())
        return;
    routeMoved(grown);
    emit placed();
}

bool CanvasScene::refreshSome() {
    if (m_due.isActive())
        return false;
    const auto take = [](std::vector<std::size_t>& left, std::size_t most, const auto& work) {
        for (; most > 0 && !left.empty(); --most) {
            const auto index = left.back();
            left.pop_back();
            work(index);
        }
    };
    if (!m_unreadNodes.empty() || m_unrouted) {
        take(m_unreadNodes, kNodesAtOnce, [this](std::size_t i) { m_nodeOrder[i]->refresh(*m_index); });
        if (!m_unreadNodes.empty())
            return true;
        routeRead();
    }
    take(m_unreadLinks, kLinksAtOnce, [this](std::size_t i) {
        m_linkOrder[i]->refresh(*m_index);
        m_linkOrder[i]->setRoute(m_router.routes()[i]);
    });
    if (!m_unreadLinks.empty())
        return true;
    routeMoved({}); // the words stand where they find room now
    m_index.reset();
    if (std::exchange(m_placed, false))
        emit placed();
    if (std::exchange(m_unasked, false))
        update();
    if (std::exchange(m_late, false))
        emit settled();
    if (std::exchange(m_advised, false))
        QMetaObject::invokeMethod(this, &CanvasScene::takeAdvice, Qt::QueuedConnection);
    return false;
}

void CanvasScene::routeRead() {
    std::vector<LinkRouter::Place> moved;
    LinkRouter::Changed changed; // the ways of links are set when those are read
    if (m_unrouted) {
        std::vector<QRectF> rects;
        std::vector<LinkEnds> ends;
        for (const auto* item : m_nodeOrder)
            rects.push_back(item->cardRect());
        for (const auto& [from, to] : m_ends) // the engine keeps no link without its nodes
            ends.push_back({m_indices.at(from), m_indices.at(to)});
        m_router.reset(std::move(rects), std::move(ends));
        m_work.routedLinks += m_linkOrder.size();
        changed.nodes = wantedLast(m_nodeOrder.size(), [](std::size_t) { return false; });
    } else {
        for (std::size_t i = 0; i < m_nodeOrder.size(); ++i)
            if (const auto rect = m_nodeOrder[i]->cardRect(); rect != m_router.rect(i))
                moved.push_back({i, rect});
        changed = m_router.move(moved);
        m_work.routedLinks += changed.links.size();
    }
    for (const auto node : changed.nodes)
        m_nodeOrder[node]->setPorts(m_router.ports(node));
    m_placed = std::exchange(m_unrouted, false) || !moved.empty() || m_placed;
}

const std::vector<engine::Remedy>& CanvasScene::knownRemedies(const engine::NodeId& id) const {
    static const std::vector<engine::Remedy> kNone;
    if (const auto* item = itemOf(id))
        for (const auto& finding : item->findings())
            if (const auto* known = m_remedies.known(finding); known && !known->empty())
                return *known;
    return kNone;
}

void CanvasScene::askRemedies(const engine::NodeId& id) const {
    const bool busy = m_slices.isBusy() || m_due.isActive();
    m_unasked = m_unasked || busy;
    const auto* item = busy ? nullptr : itemOf(id); // else its findings may be of before
    for (std::size_t i = 0; item && i < item->findings().size(); ++i)
        m_remedies.ask(item->findings()[i]);
}

void CanvasScene::markSelected() {
    const auto& selection = m_document.selection();
    const std::set<engine::NodeId> nodes(selection.nodes.begin(), selection.nodes.end());
    const std::set<engine::LinkId> links(selection.links.begin(), selection.links.end());
    for (auto* item : m_nodeOrder)
        item->setSelected(nodes.contains(item->id()));
    for (auto* item : m_linkOrder)
        item->setSelected(links.contains(item->id()));
}

void CanvasScene::routeMoved(const std::vector<std::size_t>& nodes) {
    std::vector<LinkRouter::Place> places;
    for (const auto node : nodes)
        places.push_back({node, m_nodeOrder[node]->cardRect()});
    const auto changed = m_router.move(places);
    const bool plain = !m_previewed.empty() && isCrowded();
    for (const auto link : changed.links) {
        m_linkOrder[link]->setRoute(m_router.routes()[link]);
        m_linkOrder[link]->setPlain(plain);
        if (plain)
            m_plainLinks.insert(link);
    }
    for (const auto node : changed.nodes)
        m_nodeOrder[node]->setPorts(m_router.ports(node));
    m_work.routedLinks += changed.links.size();
    if (!isCrowded())
        for (auto* item : m_linkOrder)
            item->placeWords();
}

void CanvasScene::previewMove(const std::vector<engine::MoveNode>& moves) {
    if (moves.empty() && m_previewed.empty())
        return;
    finish(); // ways are routed again from where they are
    std::unordered_set<std::size_t> now;
    std::vector<std::size_t> moved;
    for (const auto& move : moves) {
        const auto index = m_indices.find(move.id);
        if (index == m_indices.end())
            continue;
        m_nodeOrder[index->second]->setPos(toPoint(move.position));
        now.insert(index->second);
        moved.push_back(index->second);
    }
    const auto before = std::exchange(m_previewed, moved);
    for (const auto index : before)
        if (!now.contains(index)) {
            m_nodeOrder[index]->setPos(toPoint(m_document.scenario().nodes[index].position));
            moved.push_back(index);
        }
    routeMoved(moved);
    if (m_previewed.empty())
        restoreWords();
    emit placed();
}

void CanvasScene::restoreWords() {
    for (const auto link : m_plainLinks)
        if (link < m_linkOrder.size())
            m_linkOrder[link]->setPlain(false);
    m_plainLinks.clear();
}

void CanvasScene::setZoom(double zoom) {
    m_zoom = zoom;
}

void CanvasScene::helpEvent(QGraphicsSceneHelpEvent* event) {
    // A link's words are put together only when somebody asks.
    const auto* link = nodeAt(event->scenePos()) ? nullptr : linkAt(event->scenePos());
    if (!link) {
        QGraphicsScene::helpEvent(event);
        return;
    }
    QToolTip::showText(event->screenPos(), link->tip(m_document), event->widget());
    event->accept();
}

void CanvasScene::drawBackground(QPainter* painter, const QRectF& rect) {
    if (backgroundBrush().style() != Qt::NoBrush) // a picture has a ground of its own
        return QGraphicsScene::drawBackground(painter, rect);
    painter->fillRect(rect, Theme::instance().color(ColorRole::Canvas));
    // Far away the dots would only grey the canvas.
    if (m_zoom >= kPlainWiresBelow)
        m_dots.paint(*painter, rect);
}

CanvasItem::~CanvasItem() {
    m_scene.cards().forget(this);
}

void CanvasItem::repaint() {
    m_scene.cards().forget(this);
    update();
}

void CanvasItem::put(bool& held, bool now) {
    if (std::exchange(held, now) != now)
        repaint();
}

void CanvasItem::setHovered(bool hovered) {
    if (std::exchange(m_hovered, hovered) != hovered)
        update(); // over the picture
}

} // namespace heteroscape::widgets

#include "moc_canvas_scene.cpp"
#include "widgets/canvas/canvas_item.h"
