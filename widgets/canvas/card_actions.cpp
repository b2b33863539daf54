// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_actions.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/layout_chips.h"
#include "widgets/canvas/node_item.h"
#include "widgets/canvas/part_edits.h"
#include "widgets/theme/plain_text.h"

#include <algorithm>

namespace heteroscape::widgets {

CardActions::CardActions(CanvasView& view)
    : m_view(view), m_document(view.document()), m_scene(view.canvasScene()) {
    const auto forget = [this] {
        if (m_document.selection() != Selection{{m_chip.node}, {}})
            clearChip();
    };
    connect(&m_document, &Document::changed, this, forget);
    connect(&m_document, &Document::selectionChanged, this, forget);
}

void CardActions::popUpBelow(std::unique_ptr<QMenu> menu, const engine::NodeId& id, CardPart::Kind kind) {
    const auto* viewport = m_view.viewport();
    auto place = viewport->rect().center();
    if (const auto* item = m_scene.nodeItem(id)) {
        auto rect = item->partRect({kind, 0});
        if (rect.isEmpty())
            rect = item->cardRect().adjusted(12, 0, 0, -40);
        place = m_view.mapFromScene(rect).boundingRect().bottomLeft() + QPoint(0, 2);
        place = {std::clamp(place.x(), 0, viewport->width()), std::clamp(place.y(), 0, viewport->height())};
    }
    popUp(std::move(menu), &m_view, viewport->mapToGlobal(place));
}

void CardActions::use(const engine::NodeId& id, const CardPart& part) {
    const auto* item = m_scene.nodeItem(id);
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
        if (const auto& known = m_scene.knownRemedies(id); !known.empty())
            m_document.perform(engine::GraphEdit(known.front().edit)); // a copy: performing forgets them
        break;
    case CardPart::Kind::MoreRemedies:
        if (auto menu = makeRemedyMenu())
            popUpBelow(std::move(menu), id, part.kind);
        break;
    case CardPart::Kind::Proposal:
        takeProposal(m_document, engine::NodeId(id));
        break;
    case CardPart::Kind::None:
        break;
    }
}

std::unique_ptr<QMenu> CardActions::makeRoleMenu() {
    const auto& scenario = m_document.scenario();
    const auto nodes = m_document.selection().nodes;
    const auto roles = commonRoles(scenario, nodes);
    if (roles.size() < 2)
        return nullptr;
    auto menu = namedMenu(tr("Role"));
    QString note;
    bool split = true;
    bool computes = true;
    for (const auto& id : nodes)
        if (const auto* node = scenario.findNode(id)) {
            computes = computes && engine::isAccelerator(node->device.kind);
            if (const auto without = roleWithoutEffect(scenario, *node); !without.isEmpty() && note.isEmpty())
                note = without;
            split = split && (!engine::isAccelerator(node->device.kind) ||
                              scenario.techniques.isOn(engine::disaggregation()));
        }
    for (const auto role : roles) {
        auto* action = menu->addAction(roleWords(role, computes), this, [this, nodes, role] {
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

void CardActions::chooseRole() {
    const auto& nodes = m_document.selection().nodes;
    if (nodes.empty())
        return;
    if (auto menu = makeRoleMenu())
        popUpBelow(std::move(menu), nodes.front(), CardPart::Kind::Role);
    else
        emit m_view.message(nodes.size() == 1
                                ? tr("It can have one role only")
                                : tr("The selected nodes have no roles in common to choose from"));
}

void CardActions::chooseChip(const engine::NodeId& id, std::size_t index) {
    clearChip();
    auto* item = m_scene.nodeItem(id);
    if (!item || index >= item->card().techniques.size())
        return;
    m_document.select({{id}, {}});
    m_chip = {id, item->card().techniques[index].id};
    item->setChosenChip(index);
}

bool CardActions::clearChip() {
    const bool chosen = !m_chip.technique.empty();
    if (auto* item = m_scene.itemOf(m_chip.node))
        item->setChosenChip({});
    m_chip = {};
    return chosen;
}

bool CardActions::switchChipOff() {
    if (m_chip.technique.empty() || m_document.selection().nodes != std::vector{m_chip.node})
        return false;
    const auto technique = m_chip.technique;
    clearChip();
    if (!isTechniqueOn(m_document.scenario(), technique))
        return false;
    return m_document.perform(techniqueEdit(m_document.scenario(), technique, false));
}

std::unique_ptr<QMenu> CardActions::makeTechniqueMenu() {
    const auto& scenario = m_document.scenario();
    const auto& nodes = m_document.selection().nodes;
    if (nodes.size() != 1 || !scenario.findNode(nodes.front()))
        return nullptr;
    auto menu = namedMenu(tr("Techniques"));
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

void CardActions::chooseTechnique() {
    const auto& nodes = m_document.selection().nodes;
    if (auto menu = makeTechniqueMenu())
        popUpBelow(std::move(menu), nodes.front(), CardPart::Kind::Technique);
    else if (!nodes.empty())
        emit m_view.message(tr("Select one node to see what can be switched on there"));
}

std::unique_ptr<QMenu> CardActions::makeRemedyMenu() {
    auto menu = namedMenu(tr("What helps"));
    for (const auto& id : m_document.selection().nodes)
        for (const auto& remedy : m_scene.knownRemedies(id))
            menu->addAction(QString::fromStdString(remedy.label), this,
                            [this, edit = remedy.edit] { m_document.perform(edit); });
    return menu->isEmpty() ? nullptr : std::move(menu);
}

void CardActions::fixProblem() {
    const auto& nodes = m_document.selection().nodes;
    for (const auto& id : nodes) {
        m_scene.askRemedies(id);
        const auto known = m_scene.knownRemedies(id); // a copy: performing forgets them
        if (known.empty())
            continue;
        if (known.size() == 1 && nodes.size() == 1)
            m_document.perform(known.front().edit);
        else if (auto menu = makeRemedyMenu())
            popUpBelow(std::move(menu), id, CardPart::Kind::Remedy);
        return;
    }
    for (const auto& id : nodes)
        if (const auto* item = m_scene.nodeItem(id); item && !item->card().proposal.isEmpty())
            return takeProposal(m_document, engine::NodeId(id));
    if (nodes.empty())
        return;
    const bool wrong = std::any_of(nodes.begin(), nodes.end(), [this](const engine::NodeId& id) {
        return !problemsAt(DesignIndex(m_document), id).empty();
    });
    emit m_view.message(wrong ? tr("No single change helps against this; the messages say what to do")
                              : tr("Nothing is wrong with what is selected"));
}

void CardActions::addTo(QMenu& menu) {
    const auto& selection = m_document.selection();
    if (!selection.links.empty() || selection.nodes.empty())
        return;
    if (selection.nodes.size() == 1)
        if (const auto* item = m_scene.nodeItem(selection.nodes.front()))
            for (const auto& chip : item->card().techniques) {
                auto* off = menu.addAction(switchWords(chip.id, false), this, [this, id = chip.id] {
                    m_document.perform(techniqueEdit(m_document.scenario(), id, false));
                });
                if (chip.id == m_chip.technique)
                    showKey(off, Qt::Key_Delete);
            }
    for (const auto& id : selection.nodes)
        m_scene.askRemedies(id);
    addSubmenu(menu, makeRemedyMenu(), Qt::Key_Q);
    addSubmenu(menu, makeRoleMenu(), Qt::Key_R);
    addSubmenu(menu, makeTechniqueMenu(), Qt::Key_T);
    menu.addSeparator();
}

} // namespace heteroscape::widgets

#include "moc_card_actions.cpp"
