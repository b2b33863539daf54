// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/note_layer.h"

#include "engine/scenario/notes.h"

#include <QMouseEvent>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kNarrowest = 80;

/// Left button on a handle at the edge of a note: draws its arrow to what lies under the pointer. Let go over
/// the note itself nothing changes.
class NoteArrowTool : public AimTool {
public:
    NoteArrowTool(CanvasView& view, engine::Note note) : AimTool(view), m_note(std::move(note)) {}

    void press(QMouseEvent& event) override;
    void cancel() override;

private:
    void aim(QPointF scenePoint) override;
    void letGo() override;
    void markTarget(bool on);

    engine::Note m_note; ///< with the arrow as it is drawn now
    bool m_outside = false;
};

/// Left button on the corner of a note: resizes it, as narrow as its words can be read and as low as they
/// have room.
class NoteSizeTool : public CanvasTool {
public:
    NoteSizeTool(CanvasView& view, engine::Note note)
        : CanvasTool(view), m_before(note), m_note(std::move(note)) {}

    void press(QMouseEvent& event) override;
    void move(QMouseEvent& event) override;
    void release(QMouseEvent& event) override;
    void cancel() override;

private:
    engine::Note m_before;
    engine::Note m_note;
    QPointF m_start;
};

} // namespace

void NoteArrowTool::press(QMouseEvent&) {
    m_view.viewport()->setCursor(Qt::CrossCursor);
    m_view.document().select({{}, {}, {m_note.id}});
}

void NoteArrowTool::markTarget(bool on) {
    const auto* target = m_note.arrow ? std::get_if<engine::NodeId>(&*m_note.arrow) : nullptr;
    if (auto* node = target ? m_view.canvasScene().nodeItem(*target) : nullptr)
        node->setDropMark(on ? DropMark::Valid : DropMark::None);
}

void NoteArrowTool::aim(QPointF scenePoint) {
    auto& notes = m_view.canvasScene().notes();
    const auto* own = notes.item(m_note.id);
    m_outside = own && !own->rect().contains(scenePoint);
    markTarget(false);
    if (!m_outside) {
        notes.reset();
        return;
    }
    m_note.arrow = notes.targetAt(scenePoint);
    markTarget(true);
    notes.preview({m_note});
}

void NoteArrowTool::letGo() {
    cancel();
    if (m_outside)
        m_view.document().perform(engine::PutNote{m_note});
}

void NoteArrowTool::cancel() {
    markTarget(false);
    m_view.canvasScene().notes().reset();
    m_view.viewport()->unsetCursor();
}

void NoteSizeTool::press(QMouseEvent& event) {
    m_start = m_view.mapToScene(event.pos());
    m_view.document().select({{}, {}, {m_note.id}});
}

void NoteSizeTool::move(QMouseEvent& event) {
    const auto size = QPointF(m_before.width, m_before.height) + m_view.mapToScene(event.pos()) - m_start;
    const auto place = toPoint(m_before.position);
    const auto corner = m_view.placing().snappedPlace(place + size, event.modifiers()) - place;
    m_note.width = std::clamp(corner.x(), kNarrowest, engine::kGreatestNoteSide);
    const auto words = noteHeight(QString::fromStdString(m_note.text), m_note.width);
    m_note.height =
        std::clamp(corner.y(), std::min(words, engine::kGreatestNoteSide), engine::kGreatestNoteSide);
    m_view.canvasScene().notes().preview({m_note});
}

void NoteSizeTool::release(QMouseEvent&) {
    cancel();
    m_view.document().perform(engine::PutNote{m_note});
}

void NoteSizeTool::cancel() {
    m_view.canvasScene().notes().reset();
}

std::unique_ptr<CanvasTool> noteToolAt(CanvasView& view, QPointF scenePoint) {
    const auto& notes = view.canvasScene().notes();
    const auto kept = [&](const NoteItem* item) { // not as a preview has it
        return item ? view.document().scenario().findNote(item->note().id) : nullptr;
    };
    if (const auto* note = kept(notes.cornerAt(scenePoint)))
        return std::make_unique<NoteSizeTool>(view, *note);
    if (const auto* note = kept(notes.handleAt(scenePoint)))
        return std::make_unique<NoteArrowTool>(view, *note);
    return nullptr;
}

} // namespace heteroscape::widgets
