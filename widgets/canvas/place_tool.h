// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/drop_targets.h"

#include <QPointF>

#include <memory>
#include <optional>

class QDragMoveEvent;
class QDropEvent;
class QEvent;
class QPainter;

namespace heteroscape::widgets {

class CanvasView;

/// A part dragged in from the palette. Where it can go is marked softly, where it would act under the pointer
/// strongly, a new card as a ghost in its slot; one line says what dropping it does. Where it cannot go there
/// is the forbidden cursor and one line that says why. What each kind of part does: DropTargets.
class PlaceTool {
public:
    explicit PlaceTool(CanvasView& view) : m_view(view) {}

    /// Events of a drag over the canvas; false for any other. Files are the window's matter and not taken.
    bool take(QEvent& event);
    void leave();
    void paint(QPainter& painter) const;

    bool showsGhost() const { return m_plan && m_plan->place.has_value(); }
    const DropPlan* plan() const { return m_plan ? &*m_plan : nullptr; } ///< null: nothing is dragged here

private:
    void move(QDragMoveEvent& event);
    void drop(QDropEvent& event);
    QPointF topLeftAt(const QDropEvent& event) const;
    DropPlan planFor(const QDropEvent& event);

    CanvasView& m_view;
    std::optional<PartRef> m_part;
    std::unique_ptr<DropTargets> m_targets; ///< of m_part
    std::optional<DropPlan> m_plan;
    QPointF m_pointer; ///< scene
};

} // namespace heteroscape::widgets
