// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_item.h"
#include "widgets/canvas/link_label.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/canvas/node_summary.h"

#include <optional>

namespace heteroscape::widgets {

/// One link on the canvas: an id, its label as last read from the document, and the way it takes.
class LinkItem : public CanvasItemOfKind<2> {
public:
    LinkItem(CanvasScene& scene, engine::LinkId id);

    const engine::LinkId& id() const { return m_id; }
    const LinkLabel& label() const { return m_label; }
    const LinkRoute& route() const { return m_route; }

    void refresh(const DesignIndex& index);
    QString tip(const Document& document) const; ///< what is wrong with it, else what it carries
    /// Where its words stand: beside the wire where no card covers them.
    QRectF labelRect() const;
    void setRoute(const LinkRoute& route); ///< scene coordinates; the item stays at the origin
    void placeWords();                     ///< anew, after cards moved beside it
    void setPlain(bool plain) {
        put(m_plain, plain);
    } ///< a bare wire, while one of very many cards is dragged

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintAll(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintFar(QPainter& painter) const;
    void paintPlain(QPainter& painter, const QColor& color, double width) const; ///< without round corners
    void measure();                                                              ///< what the label takes
    LabelBlock measuredBlock() const;
    const LabelSpot& labelSpot() const;
    LabelSpot findSpot() const;
    QRectF pictureRect() const; ///< what it paints
    bool isHot() const;         ///< saturated, or what the system waits for

    engine::LinkId m_id;
    LinkLabel m_label;
    LinkRoute m_route;
    QPainterPath m_path;
    QRectF m_bounds;
    LabelBlock m_block;                      ///< of m_label
    mutable std::optional<LabelSpot> m_spot; ///< looked for when it is first needed
    double m_width = 3.0;
    bool m_plain = false;
    bool m_wrong = false; ///< a diagnostic names it
    QString m_findings;
};

} // namespace heteroscape::widgets
