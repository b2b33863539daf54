// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/step_history.h"

#include "widgets/document/document.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QMainWindow>
#include <QScreen>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

namespace heteroscape::widgets {

namespace {

constexpr int kPopupWidth = 340;
constexpr int kPopupHeight = 380;

} // namespace

HistoryPopup::HistoryPopup(QUndoStack* stack, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_stack(stack), m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    auto* heading = new TextLabel(tr("History"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this);
    m_list->setAccessibleName(tr("History of the design"));
    m_list->setUniformItemSizes(true); // thousands of steps
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusProxy(m_list);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->addWidget(heading);
    column->addWidget(m_list);
    resize(kPopupWidth, kPopupHeight);
    fill();
    connect(m_list, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { emit stepChosen(m_list->row(item)); });
    connect(m_list, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { emit stepChosen(m_list->row(item)); });
    connect(stack, &QUndoStack::indexChanged, this, [this] {
        if (m_list->count() != m_stack->count() + 1)
            fill();
        mark();
    });
}

void HistoryPopup::fill() {
    m_list->clear();
    m_list->addItem(tr("As opened"));
    for (int i = 0; i < m_stack->count(); ++i)
        m_list->addItem(m_stack->text(i));
    mark();
}

void HistoryPopup::mark() {
    auto& theme = Theme::instance();
    const int index = m_stack->index();
    const auto present = theme.icon(QStringLiteral("check"), ColorRole::Accent);
    const auto saved = theme.icon(QStringLiteral("save"), ColorRole::Muted);
    const auto other = theme.icon(QStringLiteral("dots"), ColorRole::Border);
    for (int row = 0; row < m_list->count(); ++row) {
        auto* item = m_list->item(row);
        const bool here = row == index;
        item->setIcon(here ? present : row == m_stack->cleanIndex() ? saved : other);
        item->setForeground(theme.color(row > index ? ColorRole::Muted : ColorRole::Text));
        item->setFont(theme.font(TextSize::Dense, here ? QFont::DemiBold : QFont::Normal));
        const auto state = here ? tr("present state") : row > index ? tr("undone") : tr("done");
        item->setData(Qt::AccessibleTextRole, tr("%1, %2").arg(item->text(), state));
    }
    m_list->setCurrentRow(index);
    m_list->scrollToItem(m_list->item(index));
}

void HistoryPopup::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit stepChosen(m_list->currentRow());
    else
        QFrame::keyPressEvent(event);
}

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

#include "moc_step_history.cpp"
