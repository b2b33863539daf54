// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the page and where they lie.
#include "engine/plotting/ticks.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/filter_panel.h"
#include "widgets/validation/kernel_panel.h"
#include "widgets/validation/measured_tables.h"
#include "widgets/validation/validation_page.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>

namespace heteroscape::widgets {

namespace {

constexpr int kSpace = 10;
constexpr int kFilterWidth = 236;
constexpr int kErrorsHeight = 210;

} // namespace

void ValidationPage::makeTools() {
    auto* row = makeRow(m_tools, {}, 8);
    m_chips = new QHBoxLayout;
    m_chips->setSpacing(8);
    row->addLayout(m_chips);
    auto* own = new QPushButton(tr("Your CSV"), m_tools);
    own->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent));
    own->setToolTip(tr("Opens measured times of your own, in the columns of the shipped tables; or drop the "
                       "file onto the page"));
    connect(own, &QPushButton::clicked, this,
            [this] { askMeasuredCsv(this, [this](const QString& path) { addFile(path); }); });
    row->addWidget(own);
    row->addStretch(1);
    auto* calibrate = new QPushButton(tr("Calibrate…"), m_tools);
    calibrate->setIcon(Theme::instance().icon(QStringLiteral("target")));
    calibrate->setToolTip(tr("Fits constants to measurements of your own"));
    connect(calibrate, &QPushButton::clicked, this, [this] { emit calibrateRequested(m_ownFile); });
    row->addWidget(calibrate);
    row->addWidget(m_export);
}

/// One chip a file, with its rows; a click puts the file in or out.
void ValidationPage::showSources() {
    while (m_chips->count() < static_cast<int>(m_sources.size())) {
        const auto& name = m_sources[static_cast<std::size_t>(m_chips->count())].first;
        auto* chip = new QPushButton(m_tools);
        chip->setCheckable(true);
        chip->setProperty("chip", true);
        chip->setObjectName(name);
        connect(chip, &QPushButton::clicked, this, [this, name](bool on) { put(name, on); });
        m_chips->addWidget(chip);
    }
    for (int i = 0; i < m_chips->count(); ++i) {
        auto* chip = qobject_cast<QPushButton*>(m_chips->itemAt(i)->widget());
        const auto& name = m_sources[static_cast<std::size_t>(i)].first;
        std::size_t rows = 0;
        for (const auto& chunk : m_chunks)
            rows += chunk->source == name ? chunk->size() : 0;
        auto shown = chip->fontMetrics().elidedText(name, Qt::ElideMiddle, 180);
        shown.replace(u'&', QStringLiteral("&&"));
        if (rows > 0)
            shown +=
                QStringLiteral("  ") + QString::fromStdString(engine::tickText(static_cast<double>(rows)));
        chip->setText(shown);
        chip->setToolTip(plainTip(name));
        chip->setChecked(!m_choice.sourcesOff.contains(name));
    }
}

QWidget* ValidationPage::makeBar() {
    auto* bar = new Surface(ColorRole::Panel, false, this);
    auto* row = makeRow(bar, {12, 6, 12, 6}, 8);
    row->addWidget(new TextLabel(tr("Colour by"), TextSize::Dense, ColorRole::Text2, bar));
    m_colour = measuredKeyCombo(tr("Colour by"));
    connect(m_colour, &QComboBox::activated, this, [this](int key) {
        m_choice.colour = static_cast<MeasuredKey>(key);
        refresh();
    });
    row->addWidget(m_colour);
    m_summary = new TextLabel(TextSize::Dense, ColorRole::Text, bar, QFont::Medium);
    m_summary->setAccessibleName(tr("Errors of all rows that are shown"));
    m_summary->setElided(true);
    row->addSpacing(8);
    row->addWidget(m_summary, 1);
    m_count = new TextLabel(TextSize::Dense, ColorRole::Text2, bar);
    m_clear = new QPushButton(tr("Clear filters"), bar);
    m_clear->hide();
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_choice.clearFilters();
        refresh();
    });
    row->addWidget(m_count);
    row->addWidget(m_clear);
    return bar;
}

QWidget* ValidationPage::makeTableTile() {
    m_tables = new QStackedWidget;
    m_groupTable = tileTable(m_groups, tr("Errors of groups"), 4);
    m_groupTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rowTable = tileTable(m_rows, tr("Measured rows"), 4);
    m_rowTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tables->addWidget(m_groupTable);
    m_tables->addWidget(m_rowTable);
    const auto only = [this](const QModelIndex& index) {
        if (const auto* label = m_groups->labelAt(index.row()))
            keepOnly(m_choice.group, std::string(*label));
        else
            m_choice.offOf(m_choice.group).clear();
        refresh();
    };
    connect(m_groupTable, &QTableView::clicked, this, only);
    connect(m_groupTable, &QTableView::activated, this, only);
    connect(m_rowTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid())
                    choose(m_rows->pointAt(index.row()));
            });
    m_rows->sortOnClick(*m_rowTable);
    m_rowTable->horizontalHeader()->setDefaultSectionSize(112);
    m_group = measuredKeyCombo(tr("Group by"));
    connect(m_group, &QComboBox::activated, this, [this](int key) {
        m_choice.group = static_cast<MeasuredKey>(key);
        refresh();
    });
    auto* by = new TextLabel(tr("by"), TextSize::Dense, ColorRole::Text2);
    auto* group = new QButtonGroup(this);
    std::vector<QWidget*> tools;
    for (int page = 0; page < 2; ++page) {
        auto* button = new QPushButton(page == 0 ? tr("Groups") : tr("Rows"));
        button->setCheckable(true);
        button->setChecked(page == 0);
        button->setProperty("chip", true);
        group->addButton(button);
        connect(button, &QPushButton::clicked, this, [this, page, by] {
            m_tables->setCurrentIndex(page);
            m_group->setVisible(page == 0);
            by->setVisible(page == 0);
        });
        tools.push_back(button);
    }
    auto* copy = new QPushButton(tr("Copy as CSV"));
    connect(copy, &QPushButton::clicked, this, [this] {
        if (!m_view)
            return;
        QGuiApplication::clipboard()->setText(m_tables->currentIndex() == 0 ? validationGroupsCsv(*m_view)
                                                                            : validationRowsCsv(*m_view));
        m_notice->showDone(tr("The table is on the clipboard as CSV."));
    });
    tools.insert(tools.end(), {by, m_group, copy});
    return headedTile(tr("Errors"), nullptr, tools, m_tables);
}

void ValidationPage::layOut() {
    auto* whole = makeColumn(this);
    whole->addWidget(makeBar());
    auto* side = new Surface(ColorRole::Panel, false, this);
    side->setFixedWidth(kFilterWidth);
    auto* sideColumn = new QVBoxLayout(side);
    sideColumn->setContentsMargins(0, 0, 0, 0);
    sideColumn->addWidget(m_filters, 1);
    m_unanswered->setWordWrap(true);
    m_unanswered->setContentsMargins(14, 4, 14, 4);
    m_unanswered->hide();
    auto* source =
        new TextLabel(tr("Shipped rows: aiconfigurator systems data, Apache-2.0. They are of the half "
                         "that the constants were fitted on."),
                      TextSize::Caption, ColorRole::Muted, side);
    source->setWordWrap(true);
    source->setContentsMargins(14, 4, 14, 8);
    sideColumn->addWidget(m_unanswered);
    sideColumn->addWidget(source);

    auto* scatterNote = new TextLabel(tr("one point a row; bands of ±10 % and ±25 %"), TextSize::Caption,
                                      ColorRole::Muted, this);
    scatterNote->setElided(true);
    m_scatter->setObjectName(QStringLiteral("scatter"));
    m_scatter->setMinimumSize(280, 200);
    auto* middle = new QVBoxLayout;
    middle->setSpacing(kSpace);
    middle->addWidget(headedTile(tr("Measured against predicted"), scatterNote, {}, m_scatter), 3);
    middle->addWidget(makeTableTile(), 2);

    auto* right = new Surface(ColorRole::Window, false);
    auto* rightColumn = makeColumn(right, {}, kSpace);
    m_errors->setObjectName(QStringLiteral("errors"));
    m_errors->setFixedHeight(kErrorsHeight);
    m_errorsNote->setElided(true);
    auto* errorsExport = new ExportButton([this] { return m_errors->chart(); },
                                          {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"),
                                            [this] { return chartCsv(m_errors->chart()); }}},
                                          QStringLiteral("errors"), this);
    m_notice->follow(*errorsExport);
    rightColumn->addWidget(headedTile(tr("Distribution"), m_errorsNote, {errorsExport}, m_errors));
    auto* kernelExport = new ExportButton([this] { return m_kernel->plot()->chart(); },
                                          {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"),
                                            [this] { return chartCsv(m_kernel->plot()->chart()); }}},
                                          QStringLiteral("kernel"), this);
    m_notice->follow(*kernelExport);
    rightColumn->addWidget(headedTile(tr("Selected row"), nullptr, {kernelExport}, m_kernel), 1);
    auto* scroll = scrolled(right, this);

    auto* back = new Surface(ColorRole::Window, false, this);
    auto* columns = makeRow(back, {kSpace, kSpace, kSpace, kSpace}, kSpace);
    columns->addLayout(middle, 6);
    columns->addWidget(scroll, 5);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(side);
    auto* rest = new QVBoxLayout;
    rest->setSpacing(0);
    rest->addWidget(m_notice);
    rest->addWidget(back, 1);
    body->addLayout(rest, 1);
    whole->addLayout(body, 1);
}

} // namespace heteroscape::widgets
