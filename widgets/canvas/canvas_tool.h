// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QPointF>

#include <memory>

class QMouseEvent;
class QPainter;

namespace heteroscape::widgets {

class CanvasView;

/// One gesture of the pointer on the canvas, from press to release. The view makes one when a button goes
/// down and drops it when finished() or cancelled. Only the release writes to the document; before it
/// everything is preview.
class CanvasTool {
public:
    explicit CanvasTool(CanvasView& view) : m_view(view) {}
    virtual ~CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;

    virtual void press(QMouseEvent& event) = 0;
    virtual void move(QMouseEvent& event) = 0;
    virtual void release(QMouseEvent& event) = 0;
    virtual void cancel() = 0;             ///< takes the preview back; nothing is written
    virtual void paint(QPainter&) const {} ///< over the scene, in scene coordinates

protected:
    CanvasView& m_view;
};

/// A gesture that ends where the button is let go: what is there shows what it would do.
class AimTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;
    void move(QMouseEvent& event) final;
    void release(QMouseEvent& event) final;

protected:
    virtual void aim(QPointF scenePoint) = 0;
    virtual void letGo() = 0; ///< at what was aimed at last
};

std::unique_ptr<CanvasTool> selectTool(CanvasView& view);
std::unique_ptr<CanvasTool> panTool(CanvasView& view);
std::unique_ptr<CanvasTool> linkTool(CanvasView& view, const engine::NodeId& from);
/// The gesture that a press there begins with a note; null: none.
std::unique_ptr<CanvasTool> noteToolAt(CanvasView& view, QPointF scenePoint);

} // namespace heteroscape::widgets
