// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include <QMouseEvent>

namespace heteroscape::widgets {

namespace {

/// Middle button, or Space and the left one: moves the view over the canvas.
class PanTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;

    void press(QMouseEvent& event) override {
        m_last = event.pos();
        m_view.viewport()->setCursor(Qt::ClosedHandCursor);
    }
    void move(QMouseEvent& event) override {
        m_view.camera().panBy(event.pos() - m_last);
        m_last = event.pos();
    }
    void release(QMouseEvent&) override { cancel(); }
    void cancel() override { m_view.viewport()->unsetCursor(); }

private:
    QPoint m_last;
};

} // namespace

std::unique_ptr<CanvasTool> panTool(CanvasView& view) {
    return std::make_unique<PanTool>(view);
}

} // namespace heteroscape::widgets
