// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/clip.h"
#include "widgets/document/document.h"

#include <QPointF>
#include <QString>
#include <optional>

namespace heteroscape::widgets {

class CanvasView;

/// Where parts are put on one canvas, and what they are linked to and selected as.
class Placing : public QObject {
    Q_OBJECT
public:
    explicit Placing(CanvasView& view);

    void setSnaps(bool snaps) { m_snaps = snaps; }
    /// Whether what is dragged with these keys held snaps: Ctrl turns it round.
    bool snapsWith(Qt::KeyboardModifiers modifiers) const;
    /// A place as dragging leaves it: on the grid, or as it is.
    QPointF snappedPlace(QPointF scenePoint, Qt::KeyboardModifiers modifiers) const;

    /// Adds a node of the device (its top left corner there, on the grid), selects it and offers its usual
    /// links.
    void addNode(const engine::Device& device, QPointF topLeft);
    /// Adds the nodes and links of a group, its first node there, and selects that.
    void addGroup(const engine::ReadyGroup& group, QPointF topLeft);
    void placeDevice(const QString& deviceId);   ///< beside what it is usually linked to, else in the middle
    void placeGroup(const std::string& groupId); ///< where there is room, in the middle
    /// Gives a runtime to the selected accelerators, else to the only one that it runs on.
    void chooseRuntime(const QString& runtimeId);

signals:
    void presetDropped(const QString& presetId); ///< a preset shall be opened instead of this design

private:
    QPointF freePlace(const engine::Device& device) const;

    CanvasView& m_view;
    Document& m_document;
    bool m_snaps = true;
};

// What the canvas asks of the document, as edits; nothing here changes anything by itself.

/// A new node of this device. Its runtime is the catalogue's default; its role: fabric for what cannot
/// compute, both while prefill and decode are not split, else decode for an FPGA and prefill for a GPU or
/// NPU.
engine::AddNode placeEdit(const Document& document, const engine::Device& device, QPointF topLeft);

/// Copies of the selected nodes and notes, `offset` away, with the links among the nodes; `selection` gets
/// the copies.
engine::EditList duplicateEdit(const Document& document, QPointF offset, Selection& selection);

/// Why these two nodes cannot be linked, in one line; empty when they can.
QString linkRefusal(const Document& document, const engine::NodeId& from, const engine::NodeId& to);
/// The link of the default type; call only when linkRefusal() is empty.
engine::AddLink linkEdit(const Document& document, const engine::NodeId& from, const engine::NodeId& to);

/// The nodes to which a device is usually linked, of those that are there and have a port for it:
/// accelerators, switches and storage to the host, storage to a switch rather, and what waits for a host or
/// switch to it. `placed`: the device's own node, once it is there.
std::vector<engine::NodeId> linkPartners(const Document& document, const engine::Device& device,
                                         const engine::NodeId& placed = {});
/// The links of the default types from a node to those; away from accelerators, towards storage.
engine::EditList linksEdit(const Document& document, const engine::NodeId& node,
                           const std::vector<engine::NodeId>& partners);

/// Moves nodes by a distance; notes as they are then; both as an edit.
std::vector<engine::MoveNode> movesBy(const Document& document, const std::vector<engine::NodeId>& ids,
                                      QPointF distance);
std::vector<engine::Note> notesBy(const Document& document, const std::vector<engine::NoteId>& ids,
                                  QPointF distance);
engine::EditList moveEdit(const Document& document, const Selection& what, QPointF distance);

/// Changes the count of nodes by `step`, within what is allowed; nodes at a limit stay.
engine::EditList countEdit(const Document& document, const std::vector<engine::NodeId>& ids, int step);

} // namespace heteroscape::widgets
