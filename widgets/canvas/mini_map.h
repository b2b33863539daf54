// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/drawn_widget.h"

#include <QColor>
#include <QPixmap>
#include <QRectF>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

class CanvasView;

/// A small picture of the whole design with the part that is seen framed; a click or drag looks there. Is
/// there while the design is larger than the view, and takes no focus: the canvas has its own keys for
/// panning.
class MiniMap : public DrawnWidget {
    Q_OBJECT
public:
    MiniMap(CanvasView& view, const QWidget& below);

    void setShown(bool shown); ///< when the design is larger than the view
    void place();              ///< above what is below it; frames what the canvas shows

    QRectF content() const { return m_content; } ///< around all boxes
    QPointF toScene(QPointF place) const;        ///< of a place in the map
    QRectF fromScene(const QRectF& rect) const;  ///< where a part of the scene is in the map

protected:
    void paintEvent(QPaintEvent* event) override;
    void point(QMouseEvent& event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Box {
        QRectF rect; ///< scene px
        QColor hue;
    };
    void refresh();      ///< the boxes
    QRectF area() const; ///< of the scene that is shown
    double scale() const;
    const QPixmap& picture();

    CanvasView& m_view;
    const QWidget& m_below;
    bool m_shown = true;
    std::vector<Box> m_boxes;
    QRectF m_content;
    QRectF m_seen;
    std::optional<QRectF> m_held; ///< the area does not change under a drag
    QPixmap m_picture;            ///< of the boxes; redrawn when they or the area change
    QRectF m_pictured;
};

} // namespace heteroscape::widgets
