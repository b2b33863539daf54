// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_tool.h"
#include "widgets/document/document.h"

#include <QLineF>
#include <QPoint>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace heteroscape::widgets {

/// Left button on a node, a link or the empty canvas: selects, moves the selected nodes, or draws a rubber
/// band. Shift adds and takes away.
class SelectTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter) const override;

private:
    enum class Action { None, MoveNodes, RubberBand };

    void selectAt(QPointF scenePoint, bool add);
    void aim(const QMouseEvent& event); ///< where the dragged nodes go, snapped
    QRectF grabbed() const;             ///< the card that is held, where the document has it

    Action m_action = Action::None;
    bool m_moved = false;
    bool m_add = false;
    QPointF m_start;
    QPointF m_now;
    QPointF m_distance;           ///< by which the nodes are dragged, snapped
    std::vector<QLineF> m_guides; ///< what they are in line with
    std::vector<QRectF> m_others; ///< the cards in sight that stay
    engine::NodeId m_held;        ///< the one under the pointer
    QSizeF m_heldSize;
    QPoint m_startPixel;
    Selection m_before; ///< for a rubber band that adds, and to go back on cancel
};

} // namespace heteroscape::widgets
