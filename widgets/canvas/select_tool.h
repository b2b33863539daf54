// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_tool.h"
#include "widgets/document/document.h"

#include <QLineF>
#include <QPoint>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace heteroscape::widgets {

/// Left button on a node, a note, a link or the empty canvas: selects, moves the selected nodes and notes, or
/// draws a rubber band. Shift adds and takes away.
class SelectTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter) const override;

private:
    enum class Action { None, Move, RubberBand };

    void selectAt(QPointF scenePoint, bool add);
    void grab();                        ///< a drag begins
    void aim(const QMouseEvent& event); ///< where what is dragged goes, snapped

    Action m_action = Action::None;
    bool m_moved = false;
    bool m_add = false;
    QPointF m_start;
    QPointF m_now;
    QPointF m_distance;           ///< by which it is dragged, snapped
    std::vector<QLineF> m_guides; ///< what they are in line with
    std::vector<QRectF> m_others; ///< the cards in sight that stay
    QRectF m_held;                ///< the card or note under the pointer, where the document has it
    QPoint m_startPixel;
    Selection m_before; ///< for a rubber band that adds, and to go back on cancel
};

} // namespace heteroscape::widgets
