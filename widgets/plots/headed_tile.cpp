// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/headed_tile.h"

#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QHeaderView>
#include <QTableView>

namespace heteroscape::widgets {

QWidget* headedTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
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
    auto* column = makeColumn(tile, {1, 1, 1, 4}, 6);
    column->addLayout(head);
    column->addWidget(content, 1);
    return tile;
}

QTableView* tileTable(QAbstractItemModel* model, const QString& name, int leastRows) {
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
    table->setMinimumHeight(leastRows * kTileRow);
    return table;
}

} // namespace heteroscape::widgets
