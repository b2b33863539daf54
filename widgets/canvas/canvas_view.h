// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_camera.h"
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_tool.h"
#include "widgets/canvas/card_actions.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/canvas/link_actions.h"
#include "widgets/canvas/place_tool.h"
#include "widgets/canvas/selection_edits.h"
#include "widgets/canvas/value_editor.h"

#include <QGraphicsView>

#include <memory>
#include <optional>

namespace heteroscape::widgets {

class MiniMap;

/// The canvas: shows the document's system and turns what the pointer, the keys and drops mean into its
/// edits. Keys: Del, arrows (8 px, Shift 1), + and - (count), Enter (edit count, bandwidth or note), N
/// (note), L (link what is offered, or the two selected nodes), K (kind of link), R (role), T (techniques), Q
/// (what helps), F, Shift+F, Ctrl+A, Ctrl+C, Ctrl+X, Ctrl+V, Ctrl+D, Esc, Tab, Space. The wheel zooms at the
/// cursor, with Shift it pans sideways; two fingers pan.
class CanvasView : public QGraphicsView {
    Q_OBJECT
public:
    explicit CanvasView(Document& document, QWidget* parent = nullptr);
    ~CanvasView() override;

    Document& document() const { return m_document; }
    CanvasScene& canvasScene() { return m_scene; }

    CanvasCamera& camera() { return m_camera; } ///< zooms, pans, fits
    Placing& placing() { return m_placing; }    ///< puts parts where there is room
    SelectionEdits& edits() { return m_edits; }
    CardActions& cards() { return m_cards; }
    LinkActions& links() { return m_links; }
    ValueEditing& values() { return m_values; }
    CanvasNotes& notes() { return m_notes; }
    CardArranger* arranger() { return &m_arranger; } ///< aligns, distributes, lays out
    MiniMap* miniMap() const { return m_miniMap; }

    bool hasGesture() const { return m_tool != nullptr; }  ///< a button is down and something is previewed
    const PlaceTool& dragged() const { return m_dragged; } ///< the part that is dragged over the canvas
    std::optional<QPoint> pointer() const { return m_pointer; } ///< in the viewport, while it is over it

signals:
    void openPresetRequested();
    void findPartRequested();
    void message(const QString& text); ///< why something was refused, one line

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void documentChanged();
    void placeOverlays();
    void cancelGesture();
    void hover(QPoint viewportPoint);
    void hoverCard(const engine::NodeId& id, const CardPart& part);

    Document& m_document;
    CanvasScene m_scene;
    ZoomBar* m_zoomBar; // what is made first floats below
    EmptyHint* m_emptyHint;
    CanvasCamera m_camera;
    Placing m_placing;
    SelectionEdits m_edits;
    CardActions m_cards;
    LinkActions m_links;
    ValueEditing m_values;
    CanvasNotes m_notes;
    CardArranger m_arranger;
    PlaceTool m_dragged;
    std::unique_ptr<CanvasTool> m_tool;
    MiniMap* m_miniMap;
    std::optional<QPoint> m_pointer;
    engine::NodeId m_hovered;
    struct Pressed {
        engine::NodeId node;
        CardPart part;
        QPoint at;
    };
    Pressed m_pressed; ///< part of a card that a click began on
    bool m_spaceDown = false;
};

} // namespace heteroscape::widgets
