// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_tool.h"

#include <QPoint>

namespace heteroscape::widgets {

/// Middle button, or Space and the left one: moves the view over the canvas.
class PanTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;

private:
    QPoint m_last;
};

} // namespace heteroscape::widgets
