// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_parts.h"

#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/validation_page.h"
#include "widgets/validation/validation_words.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMimeData>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {
constexpr int kMeasuredRow = 25; // px
} // namespace

QWidget* measuredTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
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

QTableView* measuredTable(QAbstractItemModel* model, const QString& name) {
    auto* table = new QTableView;
    table->setModel(model);
    table->setAccessibleName(name);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kMeasuredRow);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setCornerWidget(new Surface(ColorRole::Surface, false));
    table->setMinimumHeight(4 * kMeasuredRow);
    return table;
}

QComboBox* measuredKeyCombo(const QString& accessibleName) {
    auto* combo = new QComboBox;
    combo->setAccessibleName(accessibleName);
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        combo->addItem(measuredKeyText(static_cast<MeasuredKey>(key)));
    return combo;
}

QString droppedCsv(const QMimeData* data) {
    const auto urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    const auto path = urls.first().toLocalFile();
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? path : QString();
}

void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take) {
    auto* dialog = new QFileDialog(parent, ValidationPage::tr("Choose measured times"), {},
                                   ValidationPage::tr("Measured times (*.csv);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, take);
    dialog->open();
}

} // namespace heteroscape::widgets
