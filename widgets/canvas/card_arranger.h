// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"
#include "widgets/canvas/auto_layout.h"
#include "widgets/jobs/job.h"

#include <QLineF>
#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

class QMenu;

namespace heteroscape::widgets {

/// Where edges or middles of a dragged rectangle come near those of others. Scene px.
struct GuideSnap {
    std::optional<double> dx; ///< to add to the rectangle's place; none: nothing is near
    std::optional<double> dy;
    std::vector<QLineF> lines; ///< to be shown
};

inline constexpr double kGuideReach = 6;

/// The nearest guide on each axis, if one is within `reach`. Pure.
GuideSnap snapToGuides(const QRectF& moving, const std::vector<QRectF>& others, double reach);

// Arranging cards: pure functions from where they stand to the edits that move them. Cards that stay make no
// edit.

/// A card to be arranged, in scene px.
struct ArrangeBox {
    engine::NodeId id;
    QRectF rect;
};

enum class Align { Left, Centre, Right, Top, Middle, Bottom };
enum class Distribute { Horizontally, Vertically };

/// Brings an edge or the middle of every card to that of the rectangle around all of them.
engine::EditList alignEdit(const std::vector<ArrangeBox>& boxes, Align how);

/// Makes the gaps between neighbours equal; the two outermost cards stay. Fewer than three: nothing.
engine::EditList distributeEdit(const std::vector<ArrangeBox>& boxes, Distribute how);

/// What the step is called: "Align left".
QString arrangeText(Align how);
QString arrangeText(Distribute how);

class CanvasScene;
class Document;

/// Moves cards into order, each time as one undoable step: in line, evenly, or laid out along their links.
class CardArranger : public QObject {
    Q_OBJECT
public:
    CardArranger(Document& document, CanvasScene& scene, QObject* parent = nullptr);

    void align(Align how);           ///< the selected nodes, two or more
    void distribute(Distribute how); ///< the selected nodes, three or more
    /// Lays out the selected nodes around where they are, all when fewer than two are selected. Places are
    /// found off the UI thread; what is gone by then stays gone, and another design drops them.
    void layOut(LayoutDirection direction);
    bool isBusy() const { return m_layout.isBusy(); } ///< places are looked for
    void addMenu(QMenu& menu);                        ///< "Arrange" with all of this

signals:
    void laidOut(); ///< the whole design

private:
    std::vector<ArrangeBox> selectedBoxes() const;
    /// Moves the cards to places with the middle that they have.
    void place(const std::vector<ArrangeBox>& boxes, const std::vector<QPointF>& places);

    Document& m_document;
    CanvasScene& m_scene;
    Job m_layout;
};

} // namespace heteroscape::widgets
