// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/designs_page_parts.h"

#include "widgets/compare/designs_page.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscape::widgets {

QWidget* makeTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
                  QWidget* content) {
    auto* tile = new Surface(ColorRole::Surface, true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 0);
    head->setSpacing(8);
    head->addWidget(new TextLabel(heading, TextSize::Body, ColorRole::Text, QFont::DemiBold, tile));
    if (note)
        head->addWidget(note, 1);
    else
        head->addStretch(1);
    for (auto* tool : tools)
        head->addWidget(tool);
    auto* column = new QVBoxLayout(tile);
    column->setContentsMargins(1, 1, 1, 4);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(content, 1);
    return tile;
}

QTableView* makeTileTable(QAbstractTableModel* model, const QString& name) {
    auto* table = new QTableView;
    table->setModel(model);
    table->setAccessibleName(name);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kTileRow);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setCornerWidget(new Surface(ColorRole::Surface, false));
    table->setMinimumHeight(9 * kTileRow);
    table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    return table;
}

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
