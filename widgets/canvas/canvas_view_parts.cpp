// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_problems.h"
#include "widgets/canvas/part_edits.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QMenu>

#include <algorithm>

// What the parts of a card do: role, techniques, remedies.

namespace heteroscape::widgets {

namespace {} // namespace

void CanvasView::popUp(std::unique_ptr<QMenu> menu, QPoint viewportPoint) {
    auto* shown = menu.release();
    shown->setParent(this, shown->windowFlags());
    shown->setAttribute(Qt::WA_DeleteOnClose);
    shown->popup(viewport()->mapToGlobal(viewportPoint));
}

QPoint CanvasView::placeBelow(const engine::NodeId& id, CardPart::Kind kind) const {
    const auto* item = m_scene->nodeItem(id);
    if (!item)
        return viewport()->rect().center();
    auto rect = item->partRect({kind, 0});
    if (rect.isEmpty())
        rect = item->cardRect().adjusted(12, 0, 0, -40);
    const auto place = mapFromScene(rect).boundingRect().bottomLeft() + QPoint(0, 2);
    return {std::clamp(place.x(), 0, viewport()->width()), std::clamp(place.y(), 0, viewport()->height())};
}

void CanvasView::useCardPart(const engine::NodeId& id, const CardPart& part) {
    const auto* item = m_scene->nodeItem(id);
    if (!item)
        return;
    switch (part.kind) {
    case CardPart::Kind::Role:
        chooseRole();
        break;
    case CardPart::Kind::Technique:
        chooseChip(id, part.index);
        if (part.index < item->card().techniques.size())
            emit techniqueShown(item->card().techniques[part.index].id);
        break;
    case CardPart::Kind::Remedy:
        if (const auto& known = m_scene->knownRemedies(id); !known.empty())
            m_document.perform(engine::GraphEdit(known.front().edit)); // a copy: performing forgets them
        break;
    case CardPart::Kind::MoreRemedies:
        if (auto menu = makeRemedyMenu())
            popUp(std::move(menu), placeBelow(id, part.kind));
        break;
    case CardPart::Kind::None:
        break;
    }
}

// Roles
// -------------------------------------------------------------------------------------------------------

std::unique_ptr<QMenu> CanvasView::makeRoleMenu() {
    const auto& scenario = m_document.scenario();
    const auto nodes = m_document.selection().nodes;
    const auto roles = commonRoles(scenario, nodes);
    if (roles.size() < 2)
        return nullptr;
    auto menu = std::make_unique<QMenu>(tr("Role"));
    menu->setAccessibleName(tr("Role"));
    QString note;
    bool split = true;
    for (const auto& id : nodes)
        if (const auto* node = scenario.findNode(id)) {
            if (const auto without = roleWithoutEffect(scenario, *node); !without.isEmpty() && note.isEmpty())
                note = without;
            split = split && (!engine::isAccelerator(node->device.kind) ||
                              scenario.techniques.isOn(engine::disaggregation()));
        }
    for (const auto role : roles) {
        auto* action = menu->addAction(roleWords(role), this, [this, nodes, role] {
            const auto edit = roleEdit(m_document.scenario(), nodes, role);
            if (!edit.edits.empty())
                m_document.perform(edit);
        });
        action->setCheckable(true);
        action->setChecked(std::all_of(nodes.begin(), nodes.end(), [&](const engine::NodeId& id) {
            const auto* node = scenario.findNode(id);
            return node && (node->role == role ||
                            (role == engine::Role::Attention && engine::attendsNearStorage(*node)));
        }));
    }
    if (note.isEmpty())
        return menu;
    menu->addSeparator();
    auto* why = menu->addAction(note);
    why->setEnabled(false);
    if (!split)
        menu->addAction(switchWords(engine::disaggregation().id(), true), this, [this] {
            m_document.perform(techniqueEdit(m_document.scenario(), engine::disaggregation().id(), true));
        });
    return menu;
}

void CanvasView::chooseRole() {
    const auto& nodes = m_document.selection().nodes;
    if (nodes.empty())
        return;
    if (auto menu = makeRoleMenu())
        popUp(std::move(menu), placeBelow(nodes.front(), CardPart::Kind::Role));
    else
        emit message(nodes.size() == 1 ? tr("It can have one role only")
                                       : tr("The selected nodes have no roles in common to choose from"));
}

// Techniques
// --------------------------------------------------------------------------------------------------

void CanvasView::chooseChip(const engine::NodeId& id, std::size_t index) {
    clearChip();
    auto* item = m_scene->nodeItem(id);
    if (!item || index >= item->card().techniques.size())
        return;
    m_document.select({{id}, {}});
    m_chip = {id, item->card().techniques[index].id};
    item->setChosenChip(index);
}

void CanvasView::clearChip() {
    if (auto* item = m_scene->nodeItem(m_chip.node))
        item->setChosenChip({});
    m_chip = {};
}

bool CanvasView::switchChipOff() {
    if (m_chip.technique.empty() || m_document.selection().nodes != std::vector{m_chip.node})
        return false;
    const auto technique = m_chip.technique;
    clearChip();
    if (!isTechniqueOn(m_document.scenario(), technique))
        return false;
    return m_document.perform(techniqueEdit(m_document.scenario(), technique, false));
}

std::unique_ptr<QMenu> CanvasView::makeTechniqueMenu() {
    const auto& scenario = m_document.scenario();
    const auto& nodes = m_document.selection().nodes;
    if (nodes.size() != 1 || !scenario.findNode(nodes.front()))
        return nullptr;
    auto menu = std::make_unique<QMenu>(tr("Techniques"));
    menu->setAccessibleName(tr("Techniques"));
    menu->setToolTipsVisible(true);
    const engine::TechniqueTargets targets(scenario);
    for (const auto* kind : engine::techniqueKinds().all()) {
        const auto refusal = targets.refusal(*kind, nodes.front());
        const bool on = scenario.techniques.isOn(*kind);
        auto* action = menu->addAction(QString::fromUtf8(kind->label()), this, [this, id = kind->id(), on] {
            m_document.perform(techniqueEdit(m_document.scenario(), id, !on));
        });
        action->setCheckable(true);
        action->setChecked(on);
        action->setEnabled(refusal.empty());
        action->setToolTip(
            plainTip(refusal.empty() ? QString::fromUtf8(kind->about()) : QString::fromStdString(refusal)));
    }
    return menu;
}

void CanvasView::chooseTechnique() {
    const auto& nodes = m_document.selection().nodes;
    if (auto menu = makeTechniqueMenu())
        popUp(std::move(menu), placeBelow(nodes.front(), CardPart::Kind::Technique));
    else if (!nodes.empty())
        emit message(tr("Select one node to see what can be switched on there"));
}

// Remedies
// ----------------------------------------------------------------------------------------------------

std::unique_ptr<QMenu> CanvasView::makeRemedyMenu() {
    auto menu = std::make_unique<QMenu>(tr("What helps"));
    menu->setAccessibleName(tr("What helps"));
    for (const auto& id : m_document.selection().nodes)
        for (const auto& remedy : m_scene->knownRemedies(id))
            menu->addAction(QString::fromStdString(remedy.label), this,
                            [this, edit = remedy.edit] { m_document.perform(edit); });
    return menu->isEmpty() ? nullptr : std::move(menu);
}

void CanvasView::fixProblem() {
    const auto& nodes = m_document.selection().nodes;
    for (const auto& id : nodes) {
        m_scene->askRemedies(id);
        const auto known = m_scene->knownRemedies(id); // a copy: performing forgets them
        if (known.empty())
            continue;
        if (known.size() == 1 && nodes.size() == 1)
            m_document.perform(known.front().edit);
        else if (auto menu = makeRemedyMenu())
            popUp(std::move(menu), placeBelow(id, CardPart::Kind::Remedy));
        return;
    }
    if (nodes.empty())
        return;
    const bool wrong = std::any_of(nodes.begin(), nodes.end(), [this](const engine::NodeId& id) {
        return !problemsAt(m_document, id).empty();
    });
    emit message(wrong ? tr("No single change helps against this; the messages say what to do")
                       : tr("Nothing is wrong with what is selected"));
}

void CanvasView::addPartMenus(QMenu& menu) {
    const auto& selection = m_document.selection();
    if (!selection.links.empty() || selection.nodes.empty())
        return;
    const auto key = [](QAction* action, Qt::Key which) {
        action->setShortcut(which); // shown only, as the view handles the key itself
        action->setShortcutContext(Qt::WidgetShortcut);
    };
    const auto addMenu = [&menu, &key](std::unique_ptr<QMenu> sub, Qt::Key which) {
        if (!sub)
            return;
        auto* shown = sub.release();
        shown->setParent(&menu, shown->windowFlags());
        key(menu.addMenu(shown), which);
    };
    if (selection.nodes.size() == 1)
        if (const auto* item = m_scene->nodeItem(selection.nodes.front()))
            for (const auto& chip : item->card().techniques) {
                auto* off = menu.addAction(switchWords(chip.id, false), this, [this, id = chip.id] {
                    m_document.perform(techniqueEdit(m_document.scenario(), id, false));
                });
                if (chip.id == m_chip.technique)
                    key(off, Qt::Key_Delete);
            }
    for (const auto& id : selection.nodes)
        m_scene->askRemedies(id);
    addMenu(makeRemedyMenu(), Qt::Key_Q);
    addMenu(makeRoleMenu(), Qt::Key_R);
    addMenu(makeTechniqueMenu(), Qt::Key_T);
    menu.addSeparator();
}

} // namespace heteroscape::widgets
