// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/designs_page_parts.h"

#include "widgets/compare/designs_page.h"
#include "widgets/plots/notice_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace heteroscape::widgets {

void fitColumns(QTableView* table, int first, int other) {
    table->resizeColumnsToContents();
    for (int i = 0; i < table->model()->columnCount(); ++i)
        table->setColumnWidth(i, std::min(table->columnWidth(i), i == 0 ? first : other));
}

QPushButton* copyButton(const QString& accessibleName, NoticeBar* notice, std::function<QString()> text) {
    auto* button = new QPushButton(DesignsPage::tr("Copy as CSV"));
    button->setAccessibleName(accessibleName);
    QObject::connect(button, &QPushButton::clicked, notice, [notice, text = std::move(text)] {
        QGuiApplication::clipboard()->setText(text());
        notice->showDone(DesignsPage::tr("The table is on the clipboard as CSV."));
    });
    return button;
}

} // namespace heteroscape::widgets
