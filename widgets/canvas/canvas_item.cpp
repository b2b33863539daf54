// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_item.h"

#include "widgets/canvas/canvas_scene.h"

#include <utility>

namespace heteroscape::widgets {

CanvasItem::~CanvasItem() {
    m_scene.cards().forget(this);
}

void CanvasItem::repaint() {
    m_scene.cards().forget(this);
    update();
}

void CanvasItem::put(bool& held, bool now) {
    if (std::exchange(held, now) != now)
        repaint();
}

void CanvasItem::setHovered(bool hovered) {
    if (std::exchange(m_hovered, hovered) != hovered)
        update(); // over the picture
}

} // namespace heteroscape::widgets
