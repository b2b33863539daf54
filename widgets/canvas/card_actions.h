// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/card_parts.h"
#include "widgets/document/document.h"

class QMenu;

namespace heteroscape::widgets {

class CanvasScene;
class CanvasView;

/// What the parts of the cards of one canvas do: roles, techniques, remedies. Menus are null where there is
/// nothing to choose; the caller owns them.
class CardActions : public QObject {
    Q_OBJECT
public:
    explicit CardActions(CanvasView& view);

    void use(const engine::NodeId& id, const CardPart& part); ///< it was clicked
    void chooseRole();                                        ///< of the selected nodes
    void chooseTechnique();                                   ///< on the selected node
    void fixProblem(); ///< of the selected nodes, by what is known to help
    std::unique_ptr<QMenu> makeRoleMenu();
    void addTo(QMenu& menu);

    void chooseChip(const engine::NodeId& id, std::size_t index);
    bool clearChip();     ///< false when none is chosen
    bool switchChipOff(); ///< the chosen one; false when there is none

signals:
    void techniqueShown(const std::string& techniqueId); ///< its chip on a card was clicked

private:
    std::unique_ptr<QMenu> makeTechniqueMenu();
    std::unique_ptr<QMenu> makeRemedyMenu(); ///< of what is known to help
    void popUpBelow(std::unique_ptr<QMenu> menu, const engine::NodeId& id, CardPart::Kind kind);

    CanvasView& m_view;
    Document& m_document;
    CanvasScene& m_scene;
    struct Chip {
        engine::NodeId node;
        std::string technique;
    };
    Chip m_chip; ///< that was chosen; empty: none
};

} // namespace heteroscape::widgets
