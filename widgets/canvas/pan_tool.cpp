// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/pan_tool.h"

#include "widgets/canvas/canvas_view.h"

#include <QMouseEvent>

namespace heteroscape::widgets {

void PanTool::press(QMouseEvent& event) {
    m_last = event.pos();
    m_view.viewport()->setCursor(Qt::ClosedHandCursor);
}

void PanTool::move(QMouseEvent& event) {
    m_view.panBy(event.pos() - m_last);
    m_last = event.pos();
}

void PanTool::release(QMouseEvent&) {
    m_view.viewport()->unsetCursor();
}

void PanTool::cancel() {
    m_view.viewport()->unsetCursor();
}

} // namespace heteroscape::widgets
