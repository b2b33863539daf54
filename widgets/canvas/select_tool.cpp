// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/select_tool.h"

#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// Adds the id, or takes it away when it is there.
template <class Id>
void toggle(std::vector<Id>& ids, const Id& id) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end())
        ids.push_back(id);
    else
        ids.erase(found);
}

template <class Id>
bool contains(const std::vector<Id>& ids, const Id& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

} // namespace

void SelectTool::selectAt(QPointF scenePoint, bool add) {
    auto selection = m_view.document().selection();
    if (const auto* node = m_view.canvasScene().nodeAt(scenePoint)) {
        m_action = Action::MoveNodes;
        if (add)
            toggle(selection.nodes, node->id());
        else if (!contains(selection.nodes, node->id()))
            selection = {{node->id()}, {}};
    } else if (const auto* link = m_view.canvasScene().linkAt(scenePoint)) {
        if (add)
            toggle(selection.links, link->id());
        else
            selection = {{}, {link->id()}};
    } else {
        m_action = Action::RubberBand;
        if (!add)
            selection = {};
    }
    m_view.document().select(std::move(selection));
}

void SelectTool::press(QMouseEvent& event) {
    m_startPixel = event.pos();
    m_start = m_now = m_view.mapToScene(event.pos());
    m_add = event.modifiers().testFlag(Qt::ShiftModifier);
    m_before = m_view.document().selection();
    selectAt(m_start, m_add);
}

QPointF SelectTool::snappedDistance() const {
    // The node under the pointer lands on the grid; the others keep their distance to it.
    const auto* held = m_view.canvasScene().nodeAt(m_start);
    const auto& scenario = m_view.document().scenario();
    const auto& selected = m_view.document().selection().nodes;
    const engine::Node* anchor = held ? scenario.findNode(held->id()) : nullptr;
    if (!anchor || !contains(selected, anchor->id))
        anchor = selected.empty() ? nullptr : scenario.findNode(selected.front());
    if (!anchor)
        return {};
    const auto from = toPoint(anchor->position);
    return snapped(from + (m_now - m_start)) - from;
}

void SelectTool::move(QMouseEvent& event) {
    m_now = m_view.mapToScene(event.pos());
    if (!m_moved && (event.pos() - m_startPixel).manhattanLength() < QApplication::startDragDistance())
        return;
    m_moved = true;
    auto& document = m_view.document();
    if (m_action == Action::MoveNodes) {
        m_view.canvasScene().resetPositions(); // the anchor is looked up where it was
        m_view.canvasScene().previewMove(movesBy(document, document.selection().nodes, snappedDistance()));
    } else if (m_action == Action::RubberBand) {
        Selection selection = m_add ? m_before : Selection{};
        for (const auto& id : m_view.canvasScene().nodesIn(QRectF(m_start, m_now).normalized()))
            if (!contains(selection.nodes, id))
                selection.nodes.push_back(id);
        document.select(std::move(selection));
        m_view.viewport()->update();
    }
}

void SelectTool::release(QMouseEvent& event) {
    auto& document = m_view.document();
    if (m_action == Action::MoveNodes && m_moved) {
        m_now = m_view.mapToScene(event.pos());
        m_view.canvasScene().resetPositions();
        const auto distance = snappedDistance();
        if (distance.isNull())
            return;
        if (event.modifiers().testFlag(Qt::AltModifier))
            m_view.duplicateBy(distance);
        else
            document.perform(moveEdit(movesBy(document, document.selection().nodes, distance)));
    } else if (m_action == Action::MoveNodes && !m_add && document.selection().nodes.size() > 1) {
        // A plain click on one of several selected nodes means that one.
        if (const auto* node = m_view.canvasScene().nodeAt(m_start))
            document.select({{node->id()}, {}});
    }
    m_view.viewport()->update();
}

void SelectTool::cancel() {
    m_view.canvasScene().resetPositions();
    m_view.document().select(m_before);
    m_view.viewport()->update();
}

void SelectTool::paint(QPainter& painter) const {
    if (m_action != Action::RubberBand || !m_moved)
        return;
    const auto accent = Theme::instance().color(ColorRole::Accent);
    auto fill = accent;
    fill.setAlphaF(0.1F);
    QPen pen(accent, 1);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawRect(QRectF(m_start, m_now).normalized());
}

} // namespace heteroscape::widgets
