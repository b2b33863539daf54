// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/link_item.h"
#include "widgets/canvas/node_item.h"
#include "widgets/document/remedy_finder.h"

#include <QGraphicsScene>

#include <map>
#include <memory>

namespace heteroscape::widgets {

/// The document's nodes and links as items. A projection: it never writes. Ids order the items.
class CanvasScene : public QGraphicsScene {
    Q_OBJECT
public:
    explicit CanvasScene(Document& document, QObject* parent = nullptr);
    ~CanvasScene() override;

    const Document& document() const { return m_document; }

    NodeItem* nodeItem(const engine::NodeId& id) const; ///< null when there is none
    LinkItem* linkItem(const engine::LinkId& id) const;
    std::size_t nodeCount() const { return m_nodes.size(); }
    std::size_t linkCount() const { return m_links.size(); }

    NodeItem* nodeAt(QPointF scenePoint) const;
    LinkItem* linkAt(QPointF scenePoint) const;
    LinkItem* labelAt(QPointF scenePoint) const; ///< the link whose words stand there
    /// The node one of whose ports is within reach of the point.
    NodeItem* portAt(QPointF scenePoint) const;
    std::vector<engine::NodeId> nodesIn(const QRectF& sceneRect) const; ///< touching, in the scenario's order

    /// Shows nodes at other places than the document's, links following, until resetPositions() or the next
    /// change.
    void previewMove(const std::vector<engine::MoveNode>& moves);
    void resetPositions();

    /// The rectangle of everything drawn for these nodes; all nodes when empty.
    QRectF contentRect(const std::vector<engine::NodeId>& ids = {}) const;

    /// What helps against the first problem of a node that something is known to help against; asking looks
    /// for it, and the card shows it when it is found.
    const std::vector<engine::Remedy>& knownRemedies(const engine::NodeId& id) const;
    void askRemedies(const engine::NodeId& id) const;

    double zoom() const { return m_zoom; }
    void setZoom(double zoom); ///< told by the view, for the level of detail

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;

private:
    void sync();
    void refreshItems();
    void reroute();

    Document& m_document;
    RemedyFinder& m_remedies;
    std::map<engine::NodeId, std::unique_ptr<NodeItem>> m_nodes;
    std::map<engine::LinkId, std::unique_ptr<LinkItem>> m_links;
    double m_zoom = 1.0;
};

} // namespace heteroscape::widgets
