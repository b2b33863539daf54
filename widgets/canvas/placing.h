// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/ready_group.h"
#include "widgets/document/document.h"

#include <QPointF>

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

} // namespace heteroscape::widgets
