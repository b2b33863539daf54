// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_actions.h"

#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/part_edits.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

namespace heteroscape::widgets {

LinkKindBar::LinkKindBar(QWidget* parent) : FloatingBar(parent), m_layout(new QHBoxLayout(this)) {
    m_layout->setContentsMargins(6, 6, 6, 6);
    m_layout->setSpacing(4);
    setAccessibleName(tr("Kind of the link"));
    auto* close = new QToolButton(this);
    close->setAutoRaise(true);
    close->setToolTip(tr("Keep it as it is"));
    close->setAccessibleName(tr("Keep the link as it is"));
    connect(close, &QToolButton::clicked, this, &LinkKindBar::dismissed);
    Theme::instance().follow(
        this, [close] { close->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted)); });
    m_layout->addWidget(close);
    hide();
}

void LinkKindBar::offer(const std::vector<const engine::LinkType*>& kinds, const std::string& present) {
    std::vector<std::string> ids;
    for (const auto* kind : kinds)
        ids.push_back(kind->id);
    if (ids != m_kinds) {
        for (auto* button : m_buttons)
            button->deleteLater(); // one of them may be what was clicked
        for (auto* button : m_buttons)
            button->hide();
        m_buttons.clear();
        m_kinds = ids;
        for (const auto* kind : kinds) {
            auto* button = new QPushButton(linkKindText(*kind), this);
            button->setCheckable(true);
            button->setAutoExclusive(true);
            button->setToolTip(tr("Make it a link of this kind"));
            connect(button, &QPushButton::clicked, this,
                    [this, id = QString::fromStdString(kind->id)] { emit chosen(id); });
            m_layout->insertWidget(static_cast<int>(m_buttons.size()), button);
            m_buttons.push_back(button);
        }
    }
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        m_buttons[i]->setChecked(m_kinds[i] == present);
    m_layout->activate();
    adjustSize();
    show();
    raise();
}

void LinkKindBar::focusPresent() {
    for (auto* button : m_buttons)
        if (button->isChecked() || button == m_buttons.back()) {
            button->setFocus(Qt::OtherFocusReason);
            return;
        }
}

bool LinkKindBar::holdsFocus() const {
    const auto* focus = QApplication::focusWidget();
    return focus && isAncestorOf(focus);
}

void LinkKindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit dismissed();
    else
        FloatingBar::keyPressEvent(event);
}

namespace {

QString nameOf(const engine::Scenario& scenario, const engine::NodeId& id) {
    const auto* node = scenario.findNode(id);
    return node ? QString::fromStdString(node->shownName()) : QString();
}

} // namespace

LinkActions::LinkActions(CanvasView& view)
    : m_view(view), m_document(view.document()), m_offer(new LinkOffer(view.viewport())),
      m_kindBar(new LinkKindBar(view.viewport())) {
    connect(m_offer, &LinkOffer::accepted, this, &LinkActions::linkOffered);
    connect(m_offer, &LinkOffer::dismissed, this, [this] {
        m_partners.clear();
        refreshOffer();
    });
    connect(m_kindBar, &LinkKindBar::chosen, this, [this](const QString& id) { setKind(id.toStdString()); });
    connect(m_kindBar, &LinkKindBar::dismissed, this, [this] { offerKinds({}); });
    connect(&m_document, &Document::changed, this, [this] {
        refreshOffer();
        refreshKindBar();
    });
    connect(&m_document, &Document::selectionChanged, this, &LinkActions::refreshKindBar);
}

void LinkActions::offerLinks(const engine::NodeId& placed) {
    const auto* node = m_document.scenario().findNode(placed);
    m_offered = placed;
    m_partners = node ? linkPartners(m_document, node->device, placed) : std::vector<engine::NodeId>();
    refreshOffer();
}

void LinkActions::refreshOffer() {
    std::erase_if(m_partners, [this](const engine::NodeId& partner) {
        return !linkRefusal(m_document, m_offered, partner).isEmpty();
    });
    const bool offered = !m_partners.empty();
    if (!offered && m_offer->button()->hasFocus())
        m_view.setFocus(Qt::OtherFocusReason);
    m_offer->setVisible(offered);
    if (!offered)
        return;
    const auto& scenario = m_document.scenario();
    QStringList names;
    for (const auto& partner : m_partners)
        names << nameOf(scenario, partner);
    m_offer->offer(tr("Link %1 to %2?").arg(nameOf(scenario, m_offered), names.join(QStringLiteral(", "))));
    place();
}

void LinkActions::linkOffered() {
    const auto& nodes = m_document.selection().nodes;
    if (!m_partners.empty()) {
        m_document.perform(linksEdit(m_document, m_offered, m_partners));
        m_view.setFocus(Qt::OtherFocusReason);
        return;
    }
    if (nodes.size() != 2)
        return;
    if (const auto refusal = linkRefusal(m_document, nodes[0], nodes[1]); !refusal.isEmpty()) {
        emit m_view.message(refusal);
        return;
    }
    m_document.perform(linksEdit(m_document, nodes[0], {nodes[1]}));
}

void LinkActions::offerKinds(const engine::LinkId& id) {
    m_kindsFor = id;
    refreshKindBar();
}

void LinkActions::refreshKindBar() {
    const auto& selection = m_document.selection();
    const auto* link = m_document.scenario().findLink(m_kindsFor);
    const bool meant = link && selection.nodes.empty() && selection.links == std::vector{m_kindsFor};
    const auto kinds = meant ? linkKinds(m_document, {m_kindsFor}) : std::vector<const engine::LinkType*>();
    if (kinds.size() < 2) {
        m_kindsFor = {};
        const bool focused = m_kindBar->holdsFocus();
        m_kindBar->hide();
        if (focused)
            m_view.setFocus(Qt::OtherFocusReason);
        return;
    }
    m_kindBar->offer(kinds, link->type.id);
    place();
}

void LinkActions::place() {
    m_offer->move(16, m_view.viewport()->height() - m_offer->height() - 16);
    const auto* item = m_kindBar->isHidden() ? nullptr : m_view.canvasScene().linkItem(m_kindsFor);
    if (!item)
        return;
    // Below the link and the cards that it joins, kept inside the view.
    const auto* link = m_document.scenario().findLink(m_kindsFor);
    const auto label =
        m_view.mapFromScene(item->labelRect() | m_view.canvasScene().contentRect({link->from, link->to}))
            .boundingRect();
    QRect place(label.center().x() - m_kindBar->width() / 2, label.bottom() + 8, m_kindBar->width(),
                m_kindBar->height());
    const auto room = m_view.viewport()->rect().adjusted(8, 8, -8, -8);
    if (place.bottom() > room.bottom())
        place.moveBottom(label.top() - 8);
    place.moveLeft(
        std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - place.width())));
    place.moveTop(std::clamp(place.top(), room.top(), std::max(room.top(), room.bottom() - place.height())));
    m_kindBar->move(place.topLeft());
}

void LinkActions::setKind(const std::string& linkTypeId) {
    const auto& types = m_document.catalog().linkTypes;
    const auto type = std::ranges::find(types, linkTypeId, &engine::LinkType::id);
    if (type == types.end())
        return;
    const auto edit = linkKindEdit(m_document.scenario(), m_document.selection().links, *type);
    if (!edit.edits.empty())
        m_document.perform(edit);
}

std::unique_ptr<QMenu> LinkActions::makeKindMenu() {
    const auto& links = m_document.selection().links;
    const auto kinds = linkKinds(m_document, links);
    if (kinds.empty())
        return nullptr;
    auto menu = namedMenu(tr("Kind of link"));
    const auto is = [&](const engine::LinkType* kind) {
        return std::all_of(links.begin(), links.end(), [&](const engine::LinkId& id) {
            const auto* link = m_document.scenario().findLink(id);
            return link && link->type.id == kind->id;
        });
    };
    for (const auto* kind : kinds) {
        auto* action = menu->addAction(linkKindText(*kind), this, [this, id = kind->id] { setKind(id); });
        action->setCheckable(true);
        action->setChecked(is(kind));
    }
    return menu;
}

void LinkActions::chooseKind() {
    if (!m_kindBar->isHidden()) {
        m_kindBar->focusPresent();
        return;
    }
    const auto& links = m_document.selection().links;
    if (links.empty())
        return;
    auto menu = makeKindMenu();
    const auto* item = m_view.canvasScene().linkItem(links.front());
    if (!menu || !item) {
        emit m_view.message(tr("The ends of these links have no kind in common"));
        return;
    }
    const auto below = m_view.mapFromScene(item->labelRect()).boundingRect().bottomLeft();
    popUp(std::move(menu), &m_view, m_view.viewport()->mapToGlobal(below));
}

void LinkActions::addTo(QMenu& menu) {
    const auto& selection = m_document.selection();
    if (selection.links.empty() || !selection.nodes.empty())
        return;
    addSubmenu(menu, makeKindMenu());
    if (selection.links.size() != 1)
        return;
    showKey(menu.addAction(tr("Edit bandwidth"), &m_view.values(), &ValueEditing::editBandwidth),
            Qt::Key_Return);
    const auto* link = m_document.scenario().findLink(selection.links.front());
    const auto* kind = link ? editedFrom(m_document, *link) : nullptr;
    auto* reset = menu.addAction(kind ? tr("Reset to %1").arg(linkKindText(*kind))
                                      : tr("Reset to the quantities of its kind"));
    reset->setEnabled(kind != nullptr);
    if (kind)
        connect(reset, &QAction::triggered, this, [this, type = *kind, id = link->id] {
            m_document.perform(engine::SetLinkType{id, type});
        });
}

} // namespace heteroscape::widgets

#include "moc_link_actions.cpp"
