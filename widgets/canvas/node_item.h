// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_item.h"
#include "widgets/canvas/card_parts.h"
#include "widgets/canvas/design_index.h"

#include <QString>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// Something that is wrong with a node or a link, as said on it.
struct Problem {
    engine::Severity severity = engine::Severity::Error;
    QString message;            ///< what is wrong
    QString todo;               ///< what to do about it; may be empty
    engine::Diagnostic finding; ///< for what helps against it
    bool isShortfall = false;   ///< of memory

    QString sentence() const { return todo.isEmpty() ? message : message + QStringLiteral(". ") + todo; }
};

/// Of a node, and of a link: errors, then warnings, then notes. UI thread.
std::vector<Problem> problemsAt(const DesignIndex& index, const engine::NodeId& id);
std::vector<Problem> problemsAt(const DesignIndex& index, const engine::LinkId& id);

/// What a node shows while something is dragged over it.
enum class DropMark { None, Valid, Invalid };

/// One node on the canvas: an id, its card as last read from the document, and the ports its links use.
class NodeItem : public CanvasItemOfKind<1> {
public:
    NodeItem(CanvasScene& scene, engine::NodeId id);

    const engine::NodeId& id() const { return m_id; }
    const NodeCard& card() const { return m_card; }
    QRectF cardRect() const;  ///< scene coordinates
    QRectF stackRect() const; ///< the same with the outlines behind a card of several devices
    QRectF badgeRect() const; ///< scene coordinates, of the count

    /// What is known to be wrong with it, for what helps.
    const std::vector<engine::Diagnostic>& findings() const { return m_findings; }
    void refresh(const DesignIndex& index); ///< reads the card again; the position is the scene's matter
    /// What would help, as far as it is known by now. True: the card is of another height.
    bool takeAdvice(const engine::Node& node);
    /// How high it lies as one of all nodes. What grew downwards, as a card with a problem does, lies over
    /// those that did not: what helps stands at its end.
    void setLevel(double level);
    void setPorts(std::vector<QPointF> scenePoints);
    void setHoveredPart(CardPart part);
    void setChosenChip(std::optional<std::size_t> chip); ///< that Del switches off
    CardPart partAt(QPointF scenePoint) const;
    QRectF partRect(const CardPart& part) const; ///< scene coordinates
    void setDropMark(DropMark mark);
    DropMark dropMark() const { return m_mark; }

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    bool& selectedMark() override { return m_card.selected; } ///< the card shows it
    void paintAll(QPainter& painter, double zoom, double devicePixelRatio) const;
    void paintFar(QPainter& painter) const;
    void paintParts(QPainter& painter) const;
    void advise(NodeCard& card, const engine::Node& node) const;
    bool show(NodeCard card); ///< true: of another height
    void showTip();
    void raise(); ///< to where its level and its card have it

    engine::NodeId m_id;
    NodeCard m_card;
    std::vector<engine::Diagnostic> m_findings;
    double m_height = 0.0; ///< of the card
    double m_level = 0.0;
    std::vector<QPointF> m_ports; ///< item coordinates
    CardPart m_hoveredPart;
    std::optional<std::size_t> m_chosenChip;
    DropMark m_mark = DropMark::None;
};

} // namespace heteroscape::widgets
