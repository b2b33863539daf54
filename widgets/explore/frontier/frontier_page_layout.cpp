// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the page and where they lie.
#include "engine/claims/claims.h"
#include "engine/exporters/csv.h"
#include "widgets/document/design_menu.h"
#include "widgets/document/document.h"
#include "widgets/explore/frontier/frontier_bar.h"
#include "widgets/explore/frontier/frontier_page.h"
#include "widgets/explore/frontier/frontier_side.h"
#include "widgets/explore/frontier/frontier_table.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/headed_tile.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/scrolled.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>

namespace heteroscape::widgets {

namespace {

constexpr int kFrontierGap = 10;
constexpr int kFrontierSide = 252;
constexpr int kLowPage = 620; ///< below it the layouts are left out

/// The points on the fronts, as they stand.
QString csvOf(const FrontierTableModel& rows) {
    QString text;
    const auto line = [&text](QStringList cells) {
        for (auto& cell : cells)
            cell = QString::fromStdString(engine::csvField(cell.toStdString()));
        text += cells.join(u',') + u'\n';
    };
    QStringList cells;
    for (int column = 0; column < FrontierTableModel::kColumns; ++column)
        cells << rows.heading(column);
    line(cells);
    for (int row = 0; row < rows.rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < FrontierTableModel::kColumns; ++column)
            cells << rows.exact(row, column);
        line(cells);
    }
    return text;
}

} // namespace

void FrontierPage::makeTools() {
    auto* row = makeRow(m_tools, {}, 8);
    m_frontier = new QComboBox(m_tools);
    m_frontier->setAccessibleName(tr("Frontier"));
    m_frontier->setObjectName(QStringLiteral("frontierChoice"));
    const auto& folder = m_document->catalog().folder;
    for (const auto& id : engine::shippedFrontiers(folder))
        m_frontier->addItem(QString::fromStdString(engine::findFrontier(m_document->catalog(), id).name),
                            QString::fromStdString(id));
    connect(m_frontier, &QComboBox::activated, this,
            [this](int at) { showFrontier(m_frontier->itemData(at).toString()); });
    m_axis = new QComboBox(m_tools);
    m_axis->setAccessibleName(tr("Throughput"));
    m_axis->setObjectName(QStringLiteral("frontierAxis"));
    for (std::size_t i = 0; i < engine::frontierAxisNames().size(); ++i)
        m_axis->addItem(frontierAxisName(static_cast<engine::FrontierAxis>(i)));
    connect(m_axis, &QComboBox::activated, this, [this](int at) {
        auto shown = m_definition.shown;
        shown.axis = static_cast<engine::FrontierAxis>(at);
        changeShown(shown, tr("Set the axes of the frontier"), QStringLiteral("frontier.axes"));
    });
    m_along = new QComboBox(m_tools);
    m_along->setAccessibleName(tr("Against"));
    m_along->setObjectName(QStringLiteral("frontierAlong"));
    for (std::size_t i = 0; i < engine::frontierAlongNames().size(); ++i)
        m_along->addItem(quantityOf(frontierAlongLabel(static_cast<engine::FrontierAlong>(i))));
    connect(m_along, &QComboBox::activated, this, [this](int at) {
        auto shown = m_definition.shown;
        shown.along = static_cast<engine::FrontierAlong>(at);
        changeShown(shown, tr("Set the axes of the frontier"), QStringLiteral("frontier.axes"));
    });
    m_status = new TextLabel(TextSize::Dense, ColorRole::Text2, m_tools);
    m_status->setElided(true);
    m_status->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_progress = new QProgressBar(m_tools);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setAccessibleName(tr("Progress of the frontier"));
    m_progress->hide();
    m_again = new QPushButton(tr("Run again"), m_tools);
    m_again->setObjectName(QStringLiteral("runFrontier"));
    connect(m_again, &QPushButton::clicked, this, [this] { isRunning() ? cancel() : run(); });
    row->addWidget(m_frontier);
    row->addWidget(new TextLabel(tr("Throughput"), TextSize::Dense, ColorRole::Text2, m_tools));
    row->addWidget(m_axis);
    row->addWidget(new TextLabel(tr("against"), TextSize::Dense, ColorRole::Text2, m_tools));
    row->addWidget(m_along);
    row->addWidget(m_status, 1);
    row->addWidget(m_progress);
    row->addWidget(m_again);
    row->addWidget(m_export);
}

void FrontierPage::fillAddMenu() {
    m_addMenu->clear();
    const auto take = [this](const QString& name, const engine::Scenario& design) {
        addDesign(name, design);
    };
    addOpenDesigns(m_addMenu, m_document, take);
    addPresets(m_addMenu, m_document->catalog(), [this](const std::string& id) {
        engine::FrontierSystem system;
        system.design = id;
        const auto name = engine::loadPreset(m_document->catalog(), id, id).name;
        addSystem(QString::fromStdString(name), std::move(system));
    });
}

QWidget* FrontierPage::makePlotTile(const QString& heading, PlotView* plot, const QString& baseName) {
    auto* save = new ExportButton([plot] { return plot->chart(); },
                                  {{tr("Data of this plot (CSV)\u2026"), QStringLiteral("csv"),
                                    [plot] { return chartCsv(plot->chart()); }}},
                                  baseName, this);
    m_notice->follow(*save);
    plot->setMinimumSize(240, 150);
    return headedTile(heading, nullptr, {save}, plot);
}

QWidget* FrontierPage::makeTableTile() {
    m_table = tileTable(m_rows, tr("Points on the fronts"), 4);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid())
                    choose(m_rows->pointAt(index.row()));
            });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { openPoint(m_rows->pointAt(index.row())); });
    m_rows->sortOnClick(*m_table);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, &FrontierPage::showChosen);
    auto* copy = new QPushButton(tr("Copy as CSV"));
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(csvOf(*m_rows));
        m_notice->showDone(tr("The table is on the clipboard as CSV."));
    });
    return headedTile(tr("Points on the fronts"), nullptr, {copy}, m_table);
}

void FrontierPage::layOut() {
    auto* whole = makeColumn(this);
    whole->addWidget(m_bar);
    auto* panel = new Surface(ColorRole::Panel, false);
    auto* panelColumn = new QVBoxLayout(panel);
    panelColumn->setContentsMargins(0, 0, 0, 0);
    panelColumn->addWidget(m_side);
    auto* scroll = scrolled(panel, this);
    scroll->setFixedWidth(kFrontierSide);
    // Not setMenu(): the arrow that Qt adds does not fit the button.
    auto* add = m_side->addButton();
    connect(add, &QPushButton::clicked, this,
            [this, add] { m_addMenu->popup(add->mapToGlobal(QPoint(0, add->height() + 2))); });

    auto* back = new Surface(ColorRole::Window, false, this);
    auto* rows = makeColumn(back, {kFrontierGap, kFrontierGap, kFrontierGap, kFrontierGap}, kFrontierGap);
    rows->addWidget(m_notice);
    auto* plots = new QHBoxLayout;
    plots->setSpacing(kFrontierGap);
    auto* right = new QVBoxLayout;
    right->setSpacing(kFrontierGap);
    right->addWidget(makePlotTile(tr("Best at a speed"), m_best, QStringLiteral("best_at_speed")), 1);
    m_layoutsTile = makePlotTile(tr("Layout on the front"), m_layouts, QStringLiteral("layouts"));
    right->addWidget(m_layoutsTile, 1);
    m_plot->setMinimumSize(320, 220);
    plots->addWidget(headedTile(tr("Throughput against speed"), nullptr, {}, m_plot), 2);
    plots->addLayout(right, 1);
    rows->addLayout(plots, 5);
    rows->addWidget(makeTableTile(), 2);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(scroll);
    body->addWidget(back, 1);
    whole->addLayout(body, 1);
}

void FrontierPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_layoutsTile->setVisible(height() >= kLowPage);
}

} // namespace heteroscape::widgets
