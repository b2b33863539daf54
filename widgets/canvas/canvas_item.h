// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

namespace heteroscape::widgets {

class CanvasScene;

/// What stands on the canvas and can be selected and hovered, which is shown at once. The scene may keep a
/// picture of it.
class CanvasItem : public QGraphicsItem {
public:
    explicit CanvasItem(CanvasScene& scene) : m_scene(scene) {}
    ~CanvasItem() override;

    void setSelected(bool selected) { put(selectedMark(), selected); }
    void setHovered(bool hovered);
    void repaint(); ///< what it looked like is of no use any more

protected:
    void put(bool& held, bool now); ///< repaints where that is new
    virtual bool& selectedMark() { return m_selected; }

    CanvasScene& m_scene;
    bool m_selected = false;
    bool m_hovered = false;
};

/// One of a kind that qgraphicsitem_cast tells from the others.
template <int kind>
class CanvasItemOfKind : public CanvasItem {
public:
    using CanvasItem::CanvasItem;
    enum { Type = UserType + kind };
    int type() const override { return Type; }
};

} // namespace heteroscape::widgets
