// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/designs_page_parts.h"

#include "widgets/compare/designs_page.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/theme.h"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace heteroscape::widgets {

void fitColumns(QTableView* table, int first, int other) {
    table->resizeColumnsToContents();
    for (int i = 0; i < table->model()->columnCount(); ++i)
        table->setColumnWidth(i, std::min(table->columnWidth(i), i == 0 ? first : other));
}

int fitNames(QTableView* table, int first, int other, const std::vector<int>& columns, int names) {
    table->horizontalHeader()->setStretchLastSection(false); // it would take what is left
    fitColumns(table, first, other);
    int left = table->viewport()->width();
    for (int i = 0; i < table->model()->columnCount(); ++i)
        left -= table->columnWidth(i);
    const int each = std::max(0, left) / std::max(1, static_cast<int>(columns.size()));
    const int more = std::clamp(names - kLeastNameWidth, 0, each);
    for (const int column : columns)
        if (column >= 0 && column < table->model()->columnCount())
            table->setColumnWidth(column, table->columnWidth(column) + more);
    table->horizontalHeader()->setStretchLastSection(true);
    return kLeastNameWidth + more;
}

int longestName(const ComparedDesigns& designs) {
    const QFontMetrics metrics(Theme::instance().font(TextSize::Dense));
    int longest = 0;
    for (const auto& design : designs)
        longest = std::max(longest, metrics.horizontalAdvance(design->input.name));
    return longest;
}

QString cutName(const QString& name, int width) {
    return QFontMetrics(Theme::instance().font(TextSize::Dense)).elidedText(name, Qt::ElideMiddle, width);
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
