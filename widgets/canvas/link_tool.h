// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_tool.h"
#include "widgets/document/document.h"

#include <QPointF>
#include <QString>

namespace heteroscape::widgets {

/// Drags a new link from a port: a ghost wire follows the pointer; the node under it shows a dashed accent
/// ring, or an error ring and one line that says why it cannot be.
class LinkTool : public CanvasTool {
public:
    LinkTool(CanvasView& view, engine::NodeId from) : CanvasTool(view), m_from(std::move(from)) {}

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter) const override;

    const QString& refusal() const { return m_refusal; }

private:
    void aim(QPointF scenePoint);
    void clear();

    engine::NodeId m_from;
    engine::NodeId m_target; ///< empty: none
    QPointF m_start;
    QPointF m_now;
    QString m_refusal;
    bool m_left = false; ///< the pointer has been outside the first node
};

} // namespace heteroscape::widgets
