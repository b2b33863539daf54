// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_tool.h"

#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <set>

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

/// Left button on a node, a note, a link or the empty canvas: selects, moves the selected nodes and notes, or
/// draws a rubber band. Shift adds and takes away.
class SelectTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter) const override;

private:
    enum class Action { None, Move, RubberBand };

    void selectAt(QPointF scenePoint, bool add);
    void grab();                        ///< a drag begins
    void aim(const QMouseEvent& event); ///< where what is dragged goes, snapped

    Action m_action = Action::None;
    bool m_moved = false;
    bool m_add = false;
    QPointF m_start;
    QPointF m_now;
    QPointF m_distance;           ///< by which it is dragged, snapped
    std::vector<QLineF> m_guides; ///< what they are in line with
    std::vector<QRectF> m_others; ///< the cards in sight that stay
    QRectF m_held;                ///< the card or note under the pointer, where the document has it
    QPoint m_startPixel;
    Selection m_before; ///< for a rubber band that adds, and to go back on cancel
};

} // namespace

void SelectTool::selectAt(QPointF scenePoint, bool add) {
    auto selection = m_view.document().selection();
    if (const auto* note = m_view.canvasScene().notes().at(scenePoint)) {
        m_action = Action::Move;
        if (add)
            toggle(selection.notes, note->note().id);
        else if (!contains(selection.notes, note->note().id))
            selection = {{}, {}, {note->note().id}};
    } else if (const auto* node = m_view.canvasScene().nodeAt(scenePoint)) {
        m_action = Action::Move;
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

void SelectTool::grab() {
    const auto& scene = m_view.canvasScene();
    const auto& selected = m_view.document().selection();
    const auto* note = scene.notes().at(m_start);
    const auto* node = note ? nullptr : scene.nodeAt(m_start);
    if (note && contains(selected.notes, note->note().id))
        m_held = note->rect();
    else if (node && contains(selected.nodes, node->id()))
        m_held = node->cardRect();
    else if (!selected.nodes.empty()) // what is under the pointer was taken out of the selection
        m_held = scene.nodeItem(selected.nodes.front())->cardRect();
    else if (!selected.notes.empty())
        m_held = scene.notes().item(selected.notes.front())->rect();
    const std::set<engine::NodeId> dragged(selected.nodes.begin(), selected.nodes.end());
    const auto seen = m_view.camera().seen();
    for (const auto& id : scene.nodesIn(seen))
        if (!dragged.contains(id))
            m_others.push_back(scene.nodeItem(id)->cardRect());
}

void SelectTool::aim(const QMouseEvent& event) {
    m_now = m_view.mapToScene(event.pos());
    m_guides.clear();
    if (m_held.isNull()) {
        m_distance = {};
        return;
    }
    // What is under the pointer lands on the grid or in line with others; the rest keep their distance to
    // it.
    const auto to = m_held.translated(m_now - m_start);
    auto place = m_view.placing().snappedPlace(to.topLeft(), event.modifiers());
    if (m_view.placing().snapsWith(event.modifiers())) {
        const auto reach = kGuideReach / std::max(m_view.camera().zoom(), kFewDetailsBelow);
        const auto guides = snapToGuides(to, m_others, reach);
        if (guides.dx)
            place.setX(to.left() + *guides.dx);
        if (guides.dy)
            place.setY(to.top() + *guides.dy);
        m_guides = guides.lines;
    }
    m_distance = place - m_held.topLeft();
}

void SelectTool::move(QMouseEvent& event) {
    if (!m_moved && (event.pos() - m_startPixel).manhattanLength() < QApplication::startDragDistance())
        return;
    auto& document = m_view.document();
    auto& scene = m_view.canvasScene();
    if (m_action == Action::Move) {
        if (!m_moved)
            grab();
        const bool hadGuides = !m_guides.empty();
        aim(event);
        const auto& selected = document.selection();
        scene.notes().preview(notesBy(document, selected.notes, m_distance));
        scene.previewMove(movesBy(document, selected.nodes, m_distance)); // arrows follow
        if (hadGuides || !m_guides.empty())
            m_view.viewport()->update();
    } else if (m_action == Action::RubberBand) {
        m_now = m_view.mapToScene(event.pos());
        Selection selection = m_add ? m_before : Selection{};
        const auto band = QRectF(m_start, m_now).normalized();
        for (const auto& id : scene.nodesIn(band))
            if (!contains(m_before.nodes, id) || !m_add)
                selection.nodes.push_back(id);
        for (const auto& id : scene.notes().notesIn(band))
            if (!contains(m_before.notes, id) || !m_add)
                selection.notes.push_back(id);
        document.select(std::move(selection));
        m_view.viewport()->update();
    }
    m_moved = true;
}

void SelectTool::release(QMouseEvent& event) {
    auto& document = m_view.document();
    if (m_action == Action::Move && m_moved) {
        aim(event);
        m_view.canvasScene().notes().reset();
        m_view.canvasScene().previewMove({});
        m_view.viewport()->update(); // the guides go
        if (m_distance.isNull())
            return;
        if (event.modifiers().testFlag(Qt::AltModifier))
            m_view.edits().duplicateBy(m_distance);
        else
            document.perform(moveEdit(document, document.selection(), m_distance));
    } else if (m_action == Action::Move && !m_add) {
        // A plain click on one of several that are selected means that one.
        if (const auto* note = m_view.canvasScene().notes().at(m_start))
            document.select({{}, {}, {note->note().id}});
        else if (const auto* node = m_view.canvasScene().nodeAt(m_start))
            document.select({{node->id()}, {}});
    }
    m_view.viewport()->update();
}

void SelectTool::cancel() {
    m_view.canvasScene().notes().reset();
    m_view.canvasScene().previewMove({});
    m_view.document().select(m_before);
    m_view.viewport()->update();
}

void SelectTool::paint(QPainter& painter) const {
    if (!m_guides.empty()) {
        QPen line(Theme::instance().color(ColorRole::Accent), 1);
        line.setCosmetic(true);
        painter.setPen(line);
        painter.drawLines(QList<QLineF>(m_guides.begin(), m_guides.end()));
    }
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

std::unique_ptr<CanvasTool> selectTool(CanvasView& view) {
    return std::make_unique<SelectTool>(view);
}

namespace {

/// Middle button, or Space and the left one: moves the view over the canvas.
class PanTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;

    void press(QMouseEvent& event) override {
        m_last = event.pos();
        m_view.viewport()->setCursor(Qt::ClosedHandCursor);
    }
    void move(QMouseEvent& event) override {
        m_view.camera().panBy(event.pos() - m_last);
        m_last = event.pos();
    }
    void release(QMouseEvent&) override { cancel(); }
    void cancel() override { m_view.viewport()->unsetCursor(); }

private:
    QPoint m_last;
};

} // namespace

std::unique_ptr<CanvasTool> panTool(CanvasView& view) {
    return std::make_unique<PanTool>(view);
}

void AimTool::move(QMouseEvent& event) {
    aim(m_view.mapToScene(event.pos()));
}

void AimTool::release(QMouseEvent& event) {
    aim(m_view.mapToScene(event.pos()));
    letGo();
}

} // namespace heteroscape::widgets
