// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/link_kind_bar.h"
#include "widgets/document/document.h"

class QMenu;

namespace heteroscape::widgets {

class CanvasView;

/// What is done to links on one canvas without drawing them: linking what was placed to its usual partners,
/// and choosing of what kind links are.
class LinkActions : public QObject {
    Q_OBJECT
public:
    explicit LinkActions(CanvasView& view);

    void offerLinks(const engine::NodeId& placed);
    void linkOffered();                          ///< what is offered, or the two selected nodes
    LinkOffer* offer() const { return m_offer; } ///< visible while a link is offered

    void offerKinds(const engine::LinkId& id); ///< of the one selected link, when there are several
    void chooseKind();                         ///< of the selected links
    void addTo(QMenu& menu);
    LinkKindBar* kindBar() const { return m_kindBar; } ///< visible beside a link that was just made
    void place();                                      ///< where what is offered stands in the viewport

private:
    void refreshOffer(); ///< forgets what is linked or gone
    void refreshKindBar();
    void setKind(const std::string& linkTypeId);
    std::unique_ptr<QMenu> makeKindMenu(); ///< null: there is nothing to choose

    CanvasView& m_view;
    Document& m_document;
    LinkOffer* m_offer;
    LinkKindBar* m_kindBar;
    engine::NodeId m_offered; ///< for which links are offered
    std::vector<engine::NodeId> m_partners;
    engine::LinkId m_kindsFor; ///< for which kinds are offered
};

} // namespace heteroscape::widgets
