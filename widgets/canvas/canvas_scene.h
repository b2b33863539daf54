// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_item.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/design_index.h"
#include "widgets/canvas/link_item.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/canvas/node_item.h"
#include "widgets/canvas/note_layer.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/jobs/job.h"

#include <QGraphicsScene>
#include <QTimer>

#include <map>
#include <memory>
#include <set>

namespace heteroscape::widgets {

/// The document's nodes and links as items, its notes in a layer over them. A projection: it never writes.
/// Ids order the items. Designs of up to kNodesAtOnce nodes and kLinksAtOnce links are up to date at once. Of
/// larger ones the items come and go in the next turn of the event loop, or when somebody asks for one; what
/// cards and links say, and the ways of links, come a slice at a time after that, those in sight first.
class CanvasScene : public QGraphicsScene {
    Q_OBJECT
public:
    static constexpr std::size_t kNodesAtOnce = 192, kLinksAtOnce = 384;

    explicit CanvasScene(Document& document, QObject* parent = nullptr);
    ~CanvasScene() override;

    /// Brings everything up to date now: for what needs all of it, as pictures and drags.
    void finish();

    Document& document() const { return m_document; }

    NodeItem* nodeItem(const engine::NodeId& id) const; ///< null when there is none
    NodeItem* itemOf(const engine::NodeId& id) const;   ///< as it stands: for what is painted
    LinkItem* linkItem(const engine::LinkId& id) const;
    /// Large designs are taken up a turn later, or when an item is asked for; settled() comes then.
    bool isBehind() const { return m_due.isActive(); }
    std::size_t linkCount() const;
    const std::vector<NodeItem*>& nodes() const; ///< in the scenario's order
    NoteLayer& notes() const { return *m_notes; }

    /// So many links that their words stand in their middle, whatever lies there.
    bool isCrowded() const { return m_linkOrder.size() > 200; }

    NodeItem* nodeAt(QPointF scenePoint) const;
    LinkItem* linkAt(QPointF scenePoint) const;
    LinkItem* labelAt(QPointF scenePoint) const; ///< the link whose words stand there
    /// The node one of whose ports is within reach of the point, of several the nearest.
    NodeItem* portAt(QPointF scenePoint) const;
    std::vector<engine::NodeId> nodesIn(const QRectF& sceneRect) const; ///< touching, in the scenario's order

    /// Shows nodes at other places than the document's, links following, until the next change. What an
    /// earlier preview moved and this one does not goes back: without any moves all of it.
    void previewMove(const std::vector<engine::MoveNode>& moves);

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
        std::size_t readNodes = 0; ///< whose cards were put together
        std::size_t routedLinks = 0;
    };
    Work& work() { return m_work; }

signals:
    void placed();  ///< nodes came, went or stand elsewhere, previews too
    void settled(); ///< everything is up to date again, after more than one slice

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void helpEvent(QGraphicsSceneHelpEvent* event) override;

private:
    void follow();        ///< the document changed
    void catchUp() const; ///< what follow() left for the next turn
    void sync();
    void syncItems();    ///< makes and drops items where there are others now
    void refreshItems(); ///< from the first slice on
    void takeAdvice();   ///< remedies and layouts were found
    bool refreshSome();  ///< a slice; false: nothing is left
    void routeRead();    ///< the ways of all links, as far as cards are not where the router has them
    void markSelected();
    void routeMoved(const std::vector<std::size_t>& nodes);
    void restoreWords(); ///< of links that went without them while something was dragged

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
    bool m_unrouted = false;                ///< the router has other nodes or links
    std::unique_ptr<DesignIndex> m_index;   ///< while there is anything left to read
    std::vector<std::size_t> m_unreadNodes; ///< the next is the last
    std::vector<std::size_t> m_unreadLinks; ///< the same; their ways are set then too
    mutable bool m_unasked = false;         ///< a card was painted meanwhile that asks for remedies
    bool m_placed = false;                  ///< placed() is due
    bool m_late = false;                    ///< there were several slices
    bool m_advised = false;                 ///< takeAdvice() is due after the last slice
    Slices m_slices;
    mutable QTimer m_due;                 ///< sync() is due
    std::set<std::size_t> m_plainLinks;   ///< drawn without words, see LinkItem::setPlain()
    std::vector<std::size_t> m_previewed; ///< nodes that are not where the document has them
    Work m_work;
    CanvasDots m_dots;
    double m_zoom = 1.0;
};

} // namespace heteroscape::widgets
