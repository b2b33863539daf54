// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/step_history.h"

#include "widgets/document/document.h"
#include "widgets/window/history_popup.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QMainWindow>
#include <QScreen>
#include <QUndoStack>

#include <algorithm>
#include <map>

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

StepHistory::StepHistory(const WindowPieces& window) : QObject(window.widget), m_window(window) {}

void StepHistory::selectChanged(const engine::Scenario& before) {
    const auto& now = m_window.document->scenario();
    Selection changed{changedIds(before.nodes, now.nodes), changedIds(before.links, now.links)};
    if (!changed.nodes.empty()) // a node brings its links along
        changed.links.clear();
    if (!changed.empty())
        m_window.document->select(std::move(changed)); // the view stays where it is
}

void StepHistory::goTo(int index) {
    auto* stack = m_window.document->undoStack();
    if (index < 0 || index > stack->count() || index == stack->index())
        return;
    const auto before = m_window.document->scenario();
    stack->setIndex(index);
    selectChanged(before);
}

void StepHistory::showAll() {
    auto* popup = new HistoryPopup(m_window.document->undoStack(), m_window.widget);
    connect(popup, &HistoryPopup::stepChosen, this, &StepHistory::goTo);
    // Below the button that undoes, at the right edge of the window.
    auto corner = m_window.top->mapToGlobal(
        QPoint(m_window.top->width() - popup->width() - 12, m_window.top->height()));
    if (const auto* room = m_window.widget->screen())
        corner.setX(std::max(room->availableGeometry().left(), corner.x()));
    popup->move(corner);
    popup->show();
    popup->setFocus();
}

} // namespace heteroscape::widgets
