// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "widgets/canvas/canvas_tool.h"

#include <QPointF>

#include <memory>

namespace heteroscape::widgets {

/// Left button on a handle at the edge of a note: draws its arrow to what lies under the pointer. Let go over
/// the note itself nothing changes.
class NoteArrowTool : public CanvasTool {
public:
    NoteArrowTool(CanvasView& view, engine::Note note) : CanvasTool(view), m_note(std::move(note)) {}

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;

private:
    void aim(QPointF scenePoint);
    void markTarget(bool on);

    engine::Note m_note; ///< with the arrow as it is drawn now
    bool m_outside = false;
};

/// Left button on the corner of a note: resizes it, as narrow as its words can be read and as low as they
/// have room.
class NoteSizeTool : public CanvasTool {
public:
    NoteSizeTool(CanvasView& view, engine::Note note)
        : CanvasTool(view), m_before(note), m_note(std::move(note)) {}

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;

private:
    engine::Note m_before;
    engine::Note m_note;
    QPointF m_start;
};

/// The gesture that a press there begins with a note; null: none of these two.
std::unique_ptr<CanvasTool> noteToolAt(CanvasView& view, QPointF scenePoint);

} // namespace heteroscape::widgets
