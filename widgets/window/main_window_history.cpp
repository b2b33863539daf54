// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/history_popup.h"
#include "widgets/window/main_window.h"

#include <QScreen>
#include <QToolButton>

#include <algorithm>
#include <map>

// Undo, redo and the list of all steps.

namespace heteroscape::widgets {

namespace {

/// The ids of what is new or differs in `after`.
template <class Item>
auto changedIds(const std::vector<Item>& before, const std::vector<Item>& after) {
    using Id = decltype(Item::id);
    std::map<Id, const Item*> known;
    for (const auto& item : before)
        known[item.id] = &item;
    std::vector<Id> ids;
    for (const auto& item : after)
        if (const auto found = known.find(item.id); found == known.end() || !(*found->second == item))
            ids.push_back(item.id);
    return ids;
}

} // namespace

void MainWindow::selectChanged(const engine::Scenario& before) {
    const auto& now = m_document->scenario();
    Selection changed{changedIds(before.nodes, now.nodes), changedIds(before.links, now.links)};
    if (!changed.nodes.empty()) // a node brings its links along
        changed.links.clear();
    if (!changed.empty())
        m_document->select(std::move(changed)); // the view stays where it is
}

void MainWindow::goToStep(int index) {
    auto* stack = m_document->undoStack();
    if (index < 0 || index > stack->count() || index == stack->index())
        return;
    const auto before = m_document->scenario();
    stack->setIndex(index);
    selectChanged(before);
}

void MainWindow::showHistory() {
    auto* popup = new HistoryPopup(m_document->undoStack(), this);
    connect(popup, &HistoryPopup::stepChosen, this, &MainWindow::goToStep);
    // Below the button that undoes, at the right edge of the window.
    auto corner = m_top->mapToGlobal(QPoint(m_top->width() - popup->width() - 12, m_top->height()));
    if (const auto* room = screen())
        corner.setX(std::max(room->availableGeometry().left(), corner.x()));
    popup->move(corner);
    popup->show();
    popup->setFocus();
}

} // namespace heteroscape::widgets
