// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_tool.h"
#include "widgets/canvas/place_tool.h"

#include <QGraphicsView>
#include <QPointer>
#include <QTimer>

#include <memory>
#include <optional>

class QMenu;

namespace heteroscape::widgets {

class BandwidthEditor;
class CanvasNotes;
class CardArranger;
class CountEditor;
class EmptyHint;
class LinkKindBar;
class LinkOffer;
class MiniMap;
class ZoomBar;

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
    CanvasScene& canvasScene() const { return *m_scene; }
    CardArranger* arranger() const { return m_arranger; } ///< aligns, distributes, lays out
    double zoom() const { return m_scene->zoom(); }
    bool hasGesture() const { return m_tool != nullptr; }    ///< a button is down and something is previewed
    CountEditor* countEditor() const;                        ///< null unless a count is being edited
    LinkOffer* linkOffer() const { return m_linkOffer; }     ///< visible while a link is offered
    bool showsGhost() const { return m_place.showsGhost(); } ///< a device is dragged over the canvas
    /// What dropping the part that is dragged over the canvas would do; null while nothing is.
    const DropPlan* dropPlan() const { return m_place.plan(); }

    CanvasNotes& notes() const { return *m_notes; }             ///< what is done to notes
    std::optional<QPoint> pointer() const { return m_pointer; } ///< in the viewport, while it is over it

    MiniMap* miniMap() const { return m_miniMap; }
    bool showsMiniMap() const { return m_showMiniMap; } ///< when the design is larger than the view
    bool snaps() const { return m_snaps; }
    /// Whether what is dragged with these keys held snaps: Ctrl turns it round.
    bool snapsWith(Qt::KeyboardModifiers modifiers) const;
    /// A place as dragging leaves it: on the grid, or as it is.
    QPointF snappedPlace(QPointF scenePoint, Qt::KeyboardModifiers modifiers) const;

    LinkKindBar* kindBar() const { return m_kindBar; } ///< visible beside a link that was just made
    BandwidthEditor* bandwidthEditor() const;          ///< null unless a bandwidth is being edited
    void offerKinds(const engine::LinkId& id);         ///< of the one selected link, when there are several

    /// Menus about what is selected; null where there is nothing to choose. The caller owns them.
    std::unique_ptr<QMenu> makeRoleMenu();
    std::unique_ptr<QMenu> makeTechniqueMenu();
    std::unique_ptr<QMenu> makeRemedyMenu(); ///< of what is known to help
    std::unique_ptr<QMenu> makeKindMenu();
    /// The menu of a right click on what is selected; the caller owns it.
    std::unique_ptr<QMenu> makeContextMenu();

    void zoomAt(QPoint viewportPoint, double factor);
    void panBy(QPoint pixels);
    /// Adds a node of the device (its top left corner there, on the grid), selects it and offers its usual
    /// links.
    void addNode(const engine::Device& device, QPointF topLeft);
    /// Adds the nodes and links of a group, its first node there, and selects that.
    void addGroup(const engine::ReadyGroup& group, QPointF topLeft);
    /// Does without dragging what dropping the part would do: on the selected node, else on the only one that
    /// can take it. False, with a message, where it changes nothing.
    bool placePart(const PartRef& part);
    /// Copies the selected nodes and notes that far away and selects the copies.
    void duplicateBy(QPointF distance);

public slots:
    void zoomIn();
    void zoomOut();
    void setZoom(double zoom); ///< around the middle
    void fitAll();             ///< never above 100 %
    void fitSelection();
    void selectAll();
    void deleteSelection();
    void duplicateSelection();
    void editCount();                            ///< of the one selected node
    void changeCount(int step);                  ///< of the selected nodes
    void placeDevice(const QString& deviceId);   ///< beside what it is usually linked to, else in the middle
    void placeGroup(const std::string& groupId); ///< where there is room, in the middle
    void linkOffered();                          ///< what is offered, or the two selected nodes
    void copySelection();
    void cutSelection();
    void paste(); ///< at the pointer, else beside the original
    void setSnaps(bool snaps);
    void setMiniMapShown(bool shown);
    void chooseRole();      ///< of the selected nodes
    void chooseTechnique(); ///< on the selected node
    void fixProblem();      ///< of the selected nodes, by what is known to help
    void chooseLinkKind();  ///< of the selected links
    void setLinkKind(const QString& linkTypeId);
    void editBandwidth(); ///< of the one selected link
    /// Gives a runtime to the selected accelerators, else to the only one that it runs on.
    void chooseRuntime(const QString& runtimeId);

signals:
    void openPresetRequested();
    void findPartRequested();
    void presetDropped(const QString& presetId);         ///< a preset shall be opened instead of this design
    void techniqueShown(const std::string& techniqueId); ///< its chip on a card was clicked
    void message(const QString& text);                   ///< why something was refused, one line
    void zoomChanged(double zoom);

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
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void documentChanged();
    void selectionChanged();
    void cancelGesture();
    void hover(QPoint viewportPoint);
    void applyZoom(double zoom);
    void fit(const QRectF& content);
    void nudge(QPointF distance, bool repeated);
    bool selectNeighbour(bool next); ///< false at the end
    void startCountEdit(const engine::NodeId& id);
    void closeCountEditor();
    void glide(); ///< many cards are stretched while the wheel turns, and sharp when it rests
    void placeOverlays();
    void refreshMiniMap(); ///< its boxes
    void placeMiniMap();   ///< whether it is there, and what it frames
    QPointF pasteOffset(const std::string& text, const QRectF& copied);
    void offerLinks(const engine::NodeId& placed);
    void popUp(std::unique_ptr<QMenu> menu, QPoint viewportPoint);
    QPoint placeBelow(const engine::NodeId& id, CardPart::Kind kind) const; ///< of the part, in the viewport
    void useCardPart(const engine::NodeId& id, const CardPart& part);
    void chooseChip(const engine::NodeId& id, std::size_t index);
    void clearChip();
    bool switchChipOff(); ///< the chosen one; false when there is none
    void addPartMenus(QMenu& menu);
    void addLinkMenu(QMenu& menu);
    void refreshKindBar();
    void placeKindBar();
    void closeBandwidthEditor();
    void refreshOffer(); ///< forgets what is linked or gone
    QPointF freePlace(const engine::Device& device) const;
    void showAllOfDesign(); ///< when what was placed would not be in sight with it

    Document& m_document;
    std::unique_ptr<CanvasScene> m_scene;
    CardArranger* m_arranger;
    std::unique_ptr<CanvasTool> m_tool;
    PlaceTool m_place;
    QPointer<CountEditor> m_countEditor;
    ZoomBar* m_zoomBar;
    EmptyHint* m_emptyHint;
    LinkOffer* m_linkOffer;
    LinkKindBar* m_kindBar;
    MiniMap* m_miniMap;
    std::unique_ptr<CanvasNotes> m_notes;
    std::optional<QPoint> m_pointer; ///< in the viewport, while it is over it
    std::string m_pasted;            ///< what was pasted last without a pointer
    int m_pastes = 0;                ///< how often
    QTimer m_rest;                   ///< ends a glide
    bool m_snaps = true;
    bool m_showMiniMap = true;
    engine::NodeId m_offered; ///< for which links are offered
    std::vector<engine::NodeId> m_partners;
    engine::NodeId m_hovered;
    struct Pressed {
        engine::NodeId node;
        CardPart part;
        QPoint at;
    };
    Pressed m_pressed; ///< part of a card that a click began on
    struct Chip {
        engine::NodeId node;
        std::string technique;
    };
    Chip m_chip;               ///< that was chosen; empty: none
    engine::LinkId m_kindsFor; ///< for which kinds are offered
    QPointer<BandwidthEditor> m_bandwidthEditor;
    bool m_spaceDown = false;
    bool m_autoFit = true; ///< until the user zooms or pans
    int m_nudges = 0;      ///< numbers the gestures of the arrow keys
};

} // namespace heteroscape::widgets
