// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QLineF>
#include <QString>

#include <optional>

#include "widgets/canvas/canvas_item.h"

namespace heteroscape::widgets {

/// The height that a note needs at least for its words, in scene px.
double noteHeight(const QString& text, double width);

/// One note on the canvas: its words in a box and its arrow, as last told by its layer. The item stays at the
/// origin: all of it is in scene coordinates.
class NoteItem : public CanvasItemOfKind<3> {
public:
    using CanvasItemOfKind::CanvasItemOfKind;

    const engine::Note& note() const { return m_note; } ///< as shown, which may be a preview
    QRectF rect() const;
    QRectF cornerRect() const;                                     ///< what it is resized at
    const std::optional<QLineF>& arrow() const { return m_arrow; } ///< from its edge to what it points at

    void show(const engine::Note& note, const std::optional<QLineF>& arrow);

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintArrow(QPainter& painter) const;
    void paintWords(QPainter& painter, double zoom) const;
    void paintHandles(QPainter& painter) const;

    engine::Note m_note;
    std::optional<QLineF> m_arrow;
};

} // namespace heteroscape::widgets
