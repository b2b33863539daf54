// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_tool.h"

#include "widgets/canvas/canvas_view.h"

#include <QMouseEvent>

namespace heteroscape::widgets {

void AimTool::move(QMouseEvent& event) {
    aim(m_view.mapToScene(event.pos()));
}

void AimTool::release(QMouseEvent& event) {
    aim(m_view.mapToScene(event.pos()));
    letGo();
}

} // namespace heteroscape::widgets
