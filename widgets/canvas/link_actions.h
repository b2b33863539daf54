// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/link_type.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/document/document.h"

#include <vector>

class QHBoxLayout;
class QMenu;
class QPushButton;

namespace heteroscape::widgets {

/// Offers, beside a link that was just made, the kinds that both its ends can use, fastest first. Left and
/// right walk over them, Esc or the cross closes it.
class LinkKindBar : public FloatingBar {
    Q_OBJECT
public:
    explicit LinkKindBar(QWidget* parent);

    /// Shows these kinds, the present one pressed.
    void offer(const std::vector<const engine::LinkType*>& kinds, const std::string& present);
    const std::vector<QPushButton*>& buttons() const { return m_buttons; }
    void focusPresent();
    bool holdsFocus() const;

signals:
    void chosen(const QString& linkTypeId);
    void dismissed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QHBoxLayout* m_layout;
    std::vector<std::string> m_kinds;
    std::vector<QPushButton*> m_buttons;
};

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
