// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/bandwidth_editor.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/link_kind_bar.h"
#include "widgets/canvas/part_edits.h"

#include <QMenu>

#include <algorithm>

// Of what kind links are, and how fast.

namespace heteroscape::widgets {

void CanvasView::offerKinds(const engine::LinkId& id) {
    m_kindsFor = id;
    refreshKindBar();
}

void CanvasView::refreshKindBar() {
    const auto& selection = m_document.selection();
    const auto* link = m_document.scenario().findLink(m_kindsFor);
    const bool meant = link && selection.nodes.empty() && selection.links == std::vector{m_kindsFor};
    const auto kinds = meant ? linkKinds(m_document, {m_kindsFor}) : std::vector<const engine::LinkType*>();
    if (kinds.size() < 2) {
        m_kindsFor = {};
        const bool focused = m_kindBar->holdsFocus();
        m_kindBar->hide();
        if (focused)
            setFocus(Qt::OtherFocusReason);
        return;
    }
    m_kindBar->offer(kinds, link->type.id);
    placeKindBar();
}

void CanvasView::placeKindBar() {
    const auto* item = m_kindBar->isHidden() ? nullptr : m_scene->linkItem(m_kindsFor);
    if (!item)
        return;
    // Below the link and the cards that it joins, kept inside the view.
    const auto* link = m_document.scenario().findLink(m_kindsFor);
    const auto label =
        mapFromScene(item->labelRect() | m_scene->contentRect({link->from, link->to})).boundingRect();
    QRect place(label.center().x() - m_kindBar->width() / 2, label.bottom() + 8, m_kindBar->width(),
                m_kindBar->height());
    const auto room = viewport()->rect().adjusted(8, 8, -8, -8);
    if (place.bottom() > room.bottom())
        place.moveBottom(label.top() - 8);
    place.moveLeft(
        std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - place.width())));
    place.moveTop(std::clamp(place.top(), room.top(), std::max(room.top(), room.bottom() - place.height())));
    m_kindBar->move(place.topLeft());
}

void CanvasView::setLinkKind(const QString& linkTypeId) {
    const auto id = linkTypeId.toStdString();
    for (const auto& type : m_document.catalog().linkTypes)
        if (type.id == id) {
            const auto edit = linkKindEdit(m_document.scenario(), m_document.selection().links, type);
            if (!edit.edits.empty())
                m_document.perform(edit);
            return;
        }
}

std::unique_ptr<QMenu> CanvasView::makeKindMenu() {
    const auto& links = m_document.selection().links;
    const auto kinds = linkKinds(m_document, links);
    if (kinds.empty())
        return nullptr;
    auto menu = std::make_unique<QMenu>(tr("Kind of link"));
    menu->setAccessibleName(tr("Kind of link"));
    const auto is = [&](const engine::LinkType* kind) {
        return std::all_of(links.begin(), links.end(), [&](const engine::LinkId& id) {
            const auto* link = m_document.scenario().findLink(id);
            return link && link->type.id == kind->id;
        });
    };
    for (const auto* kind : kinds) {
        auto* action = menu->addAction(linkKindText(*kind), this,
                                       [this, id = kind->id] { setLinkKind(QString::fromStdString(id)); });
        action->setCheckable(true);
        action->setChecked(is(kind));
    }
    return menu;
}

void CanvasView::chooseLinkKind() {
    if (!m_kindBar->isHidden()) {
        m_kindBar->focusPresent();
        return;
    }
    const auto& links = m_document.selection().links;
    if (links.empty())
        return;
    auto menu = makeKindMenu();
    const auto* item = m_scene->linkItem(links.front());
    if (!menu || !item) {
        emit message(tr("The ends of these links have no kind in common"));
        return;
    }
    popUp(std::move(menu), mapFromScene(item->labelRect()).boundingRect().bottomLeft());
}

void CanvasView::addLinkMenu(QMenu& menu) {
    const auto& selection = m_document.selection();
    if (selection.links.empty() || !selection.nodes.empty())
        return;
    if (auto kinds = makeKindMenu()) {
        auto* shown = kinds.release();
        shown->setParent(&menu, shown->windowFlags());
        menu.addMenu(shown);
    }
    if (selection.links.size() != 1)
        return;
    auto* edit = menu.addAction(tr("Edit bandwidth"), this, &CanvasView::editBandwidth);
    edit->setShortcut(Qt::Key_Return); // shown only, as the view handles the key itself
    edit->setShortcutContext(Qt::WidgetShortcut);
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

void CanvasView::editBandwidth() {
    const auto& links = m_document.selection().links;
    const auto* item = links.size() == 1 ? m_scene->linkItem(links.front()) : nullptr;
    if (!item)
        return;
    closeBandwidthEditor();
    ensureVisible(item->labelRect(), 16, 16);
    m_bandwidthEditor = new BandwidthEditor(m_document, links.front(), viewport());
    connect(m_bandwidthEditor, &BandwidthEditor::finished, this, &CanvasView::closeBandwidthEditor);
    QRect place(0, 0, 128, 28);
    place.moveCenter(mapFromScene(item->labelRect()).boundingRect().center());
    const auto room = viewport()->rect();
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, room.right() - place.width())));
    place.moveTop(std::clamp(place.top(), 0, std::max(0, room.bottom() - place.height())));
    m_bandwidthEditor->setGeometry(place);
    m_bandwidthEditor->show();
    m_bandwidthEditor->setFocus();
}

BandwidthEditor* CanvasView::bandwidthEditor() const {
    return m_bandwidthEditor;
}

void CanvasView::closeBandwidthEditor() {
    if (!m_bandwidthEditor)
        return;
    // As with the count: it may be the sender.
    auto* editor = m_bandwidthEditor.data();
    m_bandwidthEditor.clear();
    editor->disconnect(this);
    if (editor->hasFocus())
        setFocus(Qt::OtherFocusReason);
    editor->hide();
    editor->deleteLater();
}

} // namespace heteroscape::widgets
