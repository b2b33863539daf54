// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/place_tool.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/hint_paint.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/canvas/part_mime.h"

#include <QDragMoveEvent>
#include <QMimeData>
#include <QPainter>

namespace heteroscape::widgets {

namespace {

const engine::Device* draggedDevice(const QDropEvent& event, const engine::Catalog& catalog,
                                    QString& reason) {
    const auto part = decodePart(*event.mimeData(), catalog, &reason);
    return part ? findDevice(catalog, part->id) : nullptr;
}

} // namespace

QPointF PlaceTool::topLeftAt(const QDropEvent& event) const {
    const auto place = m_view.mapToScene(event.position().toPoint()) - QPointF(kCardWidth, kCardHeight) / 2;
    return m_view.snappedPlace(place, event.modifiers());
}

void PlaceTool::move(QDragMoveEvent& event) {
    QString reason;
    const auto* device = draggedDevice(event, m_view.document().catalog(), reason);
    if (device) {
        m_ghost = cardOf(*device);
        m_place = topLeftAt(event);
        event.setDropAction(Qt::CopyAction);
        event.accept();
    } else {
        m_ghost.reset();
        m_place = m_view.mapToScene(event.position().toPoint());
        if (m_refusal != reason)
            emit m_view.message(reason);
        event.setDropAction(Qt::IgnoreAction);
        event.ignore();
    }
    m_refusal = reason;
    m_view.viewport()->update();
}

void PlaceTool::leave() {
    m_ghost.reset();
    m_refusal.clear();
    m_view.viewport()->update();
}

void PlaceTool::drop(QDropEvent& event) {
    QString reason;
    const auto* device = draggedDevice(event, m_view.document().catalog(), reason);
    leave();
    if (!device) {
        event.setDropAction(Qt::IgnoreAction);
        event.ignore();
        emit m_view.message(reason);
        return;
    }
    event.setDropAction(Qt::CopyAction);
    event.accept();
    m_view.addNode(*device, topLeftAt(event));
}

void PlaceTool::paint(QPainter& painter) const {
    if (!m_refusal.isEmpty()) {
        paintHint(painter, m_place, m_refusal);
        return;
    }
    if (!m_ghost)
        return;
    painter.save();
    painter.translate(m_place);
    painter.setOpacity(0.7);
    paintNodeCard(painter, *m_ghost, {m_view.zoom(), m_view.devicePixelRatioF()});
    painter.restore();
}

} // namespace heteroscape::widgets
