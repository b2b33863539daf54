// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/choice_list.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"

#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace heteroscape::widgets {

namespace {
constexpr int kWidth = 260;
constexpr int kMostHeight = 340;
} // namespace

ChoiceList::ChoiceList(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_list(new QListWidget(this)), m_all(new QPushButton(tr("All"), this)),
      m_none(new QPushButton(tr("None"), this)) {
    setFrameShape(QFrame::StyledPanel);
    m_list->setAccessibleName(tr("Choices"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_all);
    row->addWidget(m_none);
    row->addStretch(1);
    auto* column = makeColumn(this, {8, 8, 8, 8}, 6);
    column->addLayout(row);
    column->addWidget(m_list);
    connect(m_list, &QListWidget::itemChanged, this, [this] { emit picked(ids()); });
    connect(m_all, &QPushButton::clicked, this, [this] { setAll(true); });
    connect(m_none, &QPushButton::clicked, this, [this] { setAll(false); });
}

void ChoiceList::open(const std::vector<Entry>& entries, const QWidget* anchor) {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const auto& entry : entries) {
        auto* item = new QListWidgetItem(entry.name, m_list);
        item->setData(Qt::UserRole, entry.id);
        item->setToolTip(plainTip(entry.id));
        item->setCheckState(entry.checked ? Qt::Checked : Qt::Unchecked);
    }
    m_list->setCurrentRow(0);
    const int rows = m_list->sizeHintForRow(0) * m_list->count();
    resize(kWidth, std::min(kMostHeight, rows + 64));
    move(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
    show();
    m_list->setFocus();
}

QStringList ChoiceList::ids() const {
    QStringList ids;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            ids << m_list->item(row)->data(Qt::UserRole).toString();
    return ids;
}

void ChoiceList::setAll(bool checked) {
    {
        const QSignalBlocker quiet(m_list); // one message, not one for each
        for (int row = 0; row < m_list->count(); ++row)
            m_list->item(row)->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    }
    emit picked(ids());
}

} // namespace heteroscape::widgets
