// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the page and where they lie.

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/exporters/csv.h"
#include "widgets/document/document.h"
#include "widgets/document/pins.h"
#include "widgets/explore/frontier/frontier_bar.h"
#include "widgets/explore/frontier/frontier_charts.h"
#include "widgets/explore/frontier/frontier_page.h"
#include "widgets/explore/frontier/frontier_side.h"
#include "widgets/explore/frontier/frontier_table.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
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
#include <algorithm>
#include <nlohmann/json.hpp>

// What the page is set up to: the design keeps it, and every change of it is an edit.
namespace heteroscape::widgets {

std::string frontierComputedPart(engine::FrontierDefinition definition) {
    definition.shown = {};
    return engine::writeFrontier(definition).dump();
}

void FrontierPage::begin() {
    m_kept.reset();
    follow();
}

void FrontierPage::follow() {
    const auto& kept = m_document->scenario().frontier;
    if (!m_begun || kept == m_kept)
        return;
    m_kept = kept;
    try {
        const auto& catalog = m_document->catalog();
        if (auto definition = engine::keptFrontier(m_document->scenario(), catalog))
            adopt(*std::move(definition));
        else if (m_frontier->count() > 0)
            adopt(engine::findFrontier(catalog, m_frontier->itemData(0).toString().toStdString()));
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void FrontierPage::change(engine::FrontierDefinition to, const QString& text, const QString& gesture) {
    m_begun = true;
    m_kept = engine::keepFrontier(to);
    adopt(std::move(to));
    m_document->perform(engine::SetFrontier{*m_kept}, gesture, text);
}

void FrontierPage::changeShown(const engine::FrontierShown& to, const QString& text, const QString& gesture) {
    auto definition = m_definition;
    definition.shown = to;
    change(std::move(definition), text, gesture);
}

void FrontierPage::adopt(engine::FrontierDefinition definition) {
    m_definition = std::move(definition);
    const auto folder = m_document->catalog().folder;
    const auto& systems = m_definition.systems;
    m_shipped = 0;
    const auto ids = engine::shippedFrontiers(folder);
    if (std::find(ids.begin(), ids.end(), m_definition.id) != ids.end()) {
        const auto shipped = engine::findFrontier(m_document->catalog(), m_definition.id).systems;
        while (m_shipped < std::min(systems.size(), shipped.size()) &&
               systems[m_shipped].name == shipped[m_shipped].name)
            ++m_shipped;
    }
    m_frontier->setCurrentIndex(m_frontier->findData(QString::fromStdString(m_definition.id)));
    m_frontier->setToolTip(plainTip(QString::fromStdString(m_definition.about)));
    m_axis->setCurrentIndex(static_cast<int>(m_definition.shown.axis));
    m_along->setCurrentIndex(static_cast<int>(m_definition.shown.along));
    m_bar->setDefinition(m_definition);
    m_side->setLimits(m_definition.shown);
    if (frontierComputedPart(m_definition) == m_ranWith)
        refresh();
    else
        run();
}

void FrontierPage::showFrontier(const QString& id) {
    load();
    try {
        auto to = engine::findFrontier(m_document->catalog(), id.toStdString());
        for (auto i = m_shipped; i < m_definition.systems.size(); ++i) // the user's go along
            to.systems.push_back(m_definition.systems[i]);
        const auto name = QString::fromStdString(to.name);
        change(std::move(to), tr("Show the frontier \u201c%1\u201d").arg(name));
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void FrontierPage::addDesign(const QString& name, const engine::Scenario& design) {
    auto kept = design;
    kept.dropKept();
    engine::FrontierSystem system;
    system.open = std::make_shared<const engine::Scenario>(std::move(kept));
    addSystem(name, std::move(system));
}

void FrontierPage::addSystem(const QString& name, engine::FrontierSystem system) {
    load();
    auto to = m_definition;
    const auto isTaken = [&](const std::string& wanted) {
        return std::any_of(to.systems.begin(), to.systems.end(),
                           [&](const auto& one) { return one.name == wanted; });
    };
    system.name = name.toStdString();
    for (int again = 2; isTaken(system.name); ++again)
        system.name = QStringLiteral("%1 (%2)").arg(name).arg(again).toStdString();
    to.systems.push_back(std::move(system));
    change(std::move(to), tr("Put %1 on the frontier").arg(name));
}

void FrontierPage::moveLine(int line, double at, bool done) {
    const auto lines = frontierLines(m_definition.shown);
    if (line < 0 || static_cast<std::size_t>(line) >= lines.size())
        return;
    const auto kind = lines[static_cast<std::size_t>(line)].kind;
    auto shown = m_definition.shown;
    setFrontierLine(shown, {kind, frontierLineValue(kind, at)});
    if (!m_held)
        m_held = m_definition.shown;
    m_definition.shown = shown;
    m_side->setLimits(shown);
    if (done && shown != std::exchange(m_held, std::nullopt))
        return changeShown(shown, tr("Move a limit of the frontier"));
    refresh();
}

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
    for (int column = 0; column < rows.columnCount(); ++column)
        cells << rows.heading(column);
    line(cells);
    for (int row = 0; row < rows.rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < rows.columnCount(); ++column)
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
    m_best->setObjectName(QStringLiteral("best"));
    m_layouts->setObjectName(QStringLiteral("layouts"));
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
