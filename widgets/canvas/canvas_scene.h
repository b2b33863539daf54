// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/card_cache.h"
#include "widgets/canvas/link_item.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/canvas/node_item.h"
#include "widgets/canvas/note_layer.h"
#include "widgets/document/remedy_finder.h"

#include <QGraphicsScene>

#include <map>
#include <memory>
#include <set>

namespace heteroscape::widgets {

/// The document's nodes and links as items, its notes in a layer over them. A projection: it never writes.
/// Ids order the items.
class CanvasScene : public QGraphicsScene {
    Q_OBJECT
public:
    explicit CanvasScene(Document& document, QObject* parent = nullptr);
    ~CanvasScene() override;

    const Document& document() const { return m_document; }
    Document& document() { return m_document; }

    NodeItem* nodeItem(const engine::NodeId& id) const; ///< null when there is none
    LinkItem* linkItem(const engine::LinkId& id) const;
    std::size_t nodeCount() const { return m_nodes.size(); }
    std::size_t linkCount() const { return m_links.size(); }
    const std::vector<NodeItem*>& nodes() const { return m_nodeOrder; } ///< in the scenario's order
    NoteLayer& notes() const { return *m_notes; }

    /// So many links that their words stand in their middle, whatever lies there.
    bool isCrowded() const { return m_linkOrder.size() > 200; }

    NodeItem* nodeAt(QPointF scenePoint) const;
    LinkItem* linkAt(QPointF scenePoint) const;
    LinkItem* labelAt(QPointF scenePoint) const; ///< the link whose words stand there
    /// The node one of whose ports is within reach of the point, of several the nearest.
    NodeItem* portAt(QPointF scenePoint) const;
    std::vector<engine::NodeId> nodesIn(const QRectF& sceneRect) const; ///< touching, in the scenario's order

    /// Shows nodes at other places than the document's, links following, until resetPositions() or the next
    /// change. What an earlier preview moved and this one does not goes back.
    void previewMove(const std::vector<engine::MoveNode>& moves);
    void resetPositions();

    /// The rectangle of everything drawn for these nodes; when empty, for all nodes and notes.
    QRectF contentRect(const std::vector<engine::NodeId>& ids = {}) const;

    /// What helps against the first problem of a node that something is known to help against; asking looks
    /// for it, and the card shows it when it is found.
    const std::vector<engine::Remedy>& knownRemedies(const engine::NodeId& id) const;
    void askRemedies(const engine::NodeId& id) const;

    double zoom() const { return m_zoom; }
    void setZoom(double zoom); ///< told by the view, for the level of detail

    CardCache& cards() { return m_cards; }
    /// What was done so far, for tests of how the work grows: nodes painted, links routed again.
    struct Work {
        std::size_t paintedNodes = 0;
        std::size_t routedLinks = 0;
    };
    const Work& work() const { return m_work; }
    void countPainted() { ++m_work.paintedNodes; }

signals:
    void placed(); ///< nodes came, went or stand elsewhere, previews too

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void helpEvent(QGraphicsSceneHelpEvent* event) override;

private:
    void sync();
    bool syncItems(); ///< makes and drops items; true when there are others now
    void refreshItems();
    void markSelected();
    void routeAll();
    void routeMoved(const std::vector<std::size_t>& nodes);
    void restoreWords(); ///< of links that went without them while something was dragged
    void placeWords();   ///< of links beside which something moved
    bool routeResized(); ///< routes what is not where the router has it; false when everything is
    void drawDots(QPainter& painter, const QRectF& rect);
    const QPixmap& dotTile(double pitch); ///< device px from dot to dot

    Document& m_document;
    CardCache m_cards; ///< outlives the items
    RemedyFinder& m_remedies;
    std::map<engine::NodeId, std::unique_ptr<NodeItem>> m_nodes;
    std::map<engine::LinkId, std::unique_ptr<LinkItem>> m_links;
    std::vector<NodeItem*> m_nodeOrder;                            ///< as in the scenario
    std::vector<LinkItem*> m_linkOrder;                            ///< as in the scenario
    std::map<engine::NodeId, std::size_t> m_indices;               ///< of nodes in the scenario
    std::vector<std::pair<engine::NodeId, engine::NodeId>> m_ends; ///< of the links as routed
    std::unique_ptr<NoteLayer> m_notes;
    LinkRouter m_router;
    std::set<std::size_t> m_plainLinks;   ///< drawn without words, see LinkItem::setPlain()
    std::vector<std::size_t> m_previewed; ///< nodes that are not where the document has them
    Work m_work;
    QPixmap m_dotTile;
    double m_dotPitch = 0.0; ///< for which the tile was made
    double m_zoom = 1.0;
};

} // namespace heteroscape::widgets
