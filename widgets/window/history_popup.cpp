// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/history_popup.h"

#include "widgets/theme/text_label.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QUndoStack>
#include <QVBoxLayout>

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

} // namespace heteroscape::widgets
