// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/place_tool.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"

#include <QDragMoveEvent>
#include <QMimeData>
#include <QPainter>

#include <utility>

namespace heteroscape::widgets {

bool PlaceTool::take(QEvent& event) {
    switch (event.type()) {
    case QEvent::DragEnter:
        if (static_cast<QDropEvent&>(event).mimeData()->hasUrls()) {
            event.ignore();
            break;
        }
        move(static_cast<QDragMoveEvent&>(event));
        // Entering is always accepted: only so do the moves arrive that explain a refusal.
        event.accept();
        break;
    case QEvent::DragMove:
        move(static_cast<QDragMoveEvent&>(event));
        break;
    case QEvent::DragLeave:
        leave();
        break;
    case QEvent::Drop:
        drop(static_cast<QDropEvent&>(event));
        break;
    default:
        return false;
    }
    return true;
}

QPointF PlaceTool::topLeftAt(const QDropEvent& event) const {
    const auto place = m_view.mapToScene(event.position().toPoint()) - QPointF(kCardWidth, kCardHeight) / 2;
    return m_view.placing().snappedPlace(place, event.modifiers());
}

DropPlan PlaceTool::planFor(const QDropEvent& event) {
    QString reason;
    const auto part = decodePart(*event.mimeData(), m_view.document().catalog(), &reason);
    if (part != m_part || !m_targets) {
        m_part = part;
        m_targets = part ? dropTargets(*part, m_view.document(), m_view.canvasScene()) : nullptr;
    }
    m_pointer = m_view.mapToScene(event.position().toPoint());
    if (m_targets)
        return m_targets->at({m_pointer, topLeftAt(event)});
    DropPlan refused;
    refused.hint = reason;
    return refused;
}

void PlaceTool::move(QDragMoveEvent& event) {
    auto plan = planFor(event);
    const bool refused = plan.verdict == DropPlan::Verdict::Refused;
    if (refused && (!m_plan || m_plan->hint != plan.hint))
        emit m_view.message(plan.hint);
    event.setDropAction(refused ? Qt::IgnoreAction : Qt::CopyAction);
    event.setAccepted(!refused);
    m_plan = std::move(plan);
    m_view.viewport()->update();
}

void PlaceTool::leave() {
    m_plan.reset();
    m_part.reset();
    m_targets.reset();
    m_view.viewport()->update();
}

void PlaceTool::drop(QDropEvent& event) {
    const auto plan = planFor(event);
    // Out of the tool's hands first: what the drop changes ends the drag.
    const auto targets = std::move(m_targets);
    leave();
    const bool taken = plan.verdict == DropPlan::Verdict::Takes;
    event.setDropAction(taken ? Qt::CopyAction : Qt::IgnoreAction);
    event.setAccepted(taken);
    if (taken)
        targets->drop(m_view, plan);
    else
        emit m_view.message(plan.hint);
}

void PlaceTool::paint(QPainter& painter) const {
    if (!m_plan)
        return;
    paintDropPlan(painter, *m_plan, m_targets.get(), m_view);
    if (!m_plan->hint.isEmpty())
        paintHint(painter, m_pointer, m_plan->hint);
}

} // namespace heteroscape::widgets
