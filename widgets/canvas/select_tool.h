// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_tool.h"
#include "widgets/document/document.h"

#include <QPoint>
#include <QPointF>

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
    QPointF snappedDistance() const;

    Action m_action = Action::None;
    bool m_moved = false;
    bool m_add = false;
    QPointF m_start;
    QPointF m_now;
    QPoint m_startPixel;
    Selection m_before; ///< for a rubber band that adds, and to go back on cancel
};

} // namespace heteroscape::widgets
