// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/arrange.h"
#include "widgets/canvas/auto_layout.h"
#include "widgets/jobs/job.h"

#include <QObject>

class QMenu;

namespace heteroscape::widgets {

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
