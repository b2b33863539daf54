// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_summary.h"

#include <QPointF>

#include <optional>

class QDragMoveEvent;
class QDropEvent;
class QPainter;

namespace heteroscape::widgets {

class CanvasView;

/// A device dragged in from the palette: a ghost card snapped to the grid, a new node on drop. Anything else
/// is refused with the forbidden cursor and one line that says why.
class PlaceTool {
public:
    explicit PlaceTool(CanvasView& view) : m_view(view) {}

    void move(QDragMoveEvent& event); ///< of entering as well
    void leave();
    void drop(QDropEvent& event);
    void paint(QPainter& painter) const;

    bool showsGhost() const { return m_ghost.has_value(); }
    const QString& refusal() const { return m_refusal; }

private:
    QPointF topLeftAt(const QDropEvent& event) const;

    CanvasView& m_view;
    std::optional<NodeCard> m_ghost;
    QPointF m_place;
    QString m_refusal;
};

} // namespace heteroscape::widgets
