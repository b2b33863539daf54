// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/points_table.h"

#include "engine/exporters/csv.h"
#include "engine/plotting/ticks.h"
#include "widgets/explore/study_table_model.h"
#include "widgets/plots/export_button.h"
#include "widgets/theme/text_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace heteroscape::widgets {

namespace {
constexpr int kTableRow = 25;
} // namespace

PointsTable::PointsTable(QWidget* parent)
    : Surface(ColorRole::Surface, true, parent),
      m_note(new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal, this)),
      m_model(new StudyTableModel(this)), m_table(new QTableView(this)) {
    auto* best = new QPushButton(tr("Best first"), this);
    auto* copy = new QPushButton(tr("Copy as CSV"), this);
    const auto csv = [this] {
        return m_study ? QString::fromStdString(engine::studyCsv(m_study->table, {})) : QString();
    };
    auto* save = new ExportButton({}, {{tr("The study as CSV…"), QStringLiteral("csv"), csv}},
                                  QStringLiteral("study"), this);
    save->setObjectName(QStringLiteral("exportStudy"));
    connect(save, &ExportButton::failed, this, &PointsTable::failed);
    connect(save, &ExportButton::exported, this,
            [this](const QString& path) { emit done(tr("Written: %1").arg(path)); });
    connect(copy, &QPushButton::clicked, this, [this, csv] {
        QGuiApplication::clipboard()->setText(csv());
        emit done(tr("The study is on the clipboard as CSV."));
    });
    connect(best, &QPushButton::clicked, this, [this] {
        m_userSorted = false;
        sortBestFirst(m_metric);
    });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 0);
    head->setSpacing(8);
    head->addWidget(new TextLabel(tr("Points"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this));
    head->addWidget(m_note, 1);
    head->addWidget(best);
    head->addWidget(copy);
    head->addWidget(save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 6);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    setMinimumHeight(120);
    makeTable();
}

void PointsTable::makeTable() {
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Points of the study"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kTableRow);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->setCornerWidget(new Surface(ColorRole::Surface, false));
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        const bool again = m_model->sortColumn() == section && m_model->sortOrder() == Qt::DescendingOrder;
        m_userSorted = true;
        m_model->sort(section, again ? Qt::AscendingOrder : Qt::DescendingOrder);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    emit rowChosen(m_model->rowAt(current.row()));
            });
    // activated() is both: double click and Enter.
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(m_model->rowAt(index.row())); });
}

void PointsTable::setStudy(std::shared_ptr<const LoadedStudy> study,
                           const std::vector<std::string>& leading) {
    const bool another = !study || !m_study || m_study->table.info.id != study->table.info.id;
    if (another)
        m_userSorted = false;
    m_fresh = m_fresh || another;
    m_study = std::move(study);
    m_model->setStudy(m_study, leading);
    if (m_study && m_userSorted)
        m_model->sort(m_model->sortColumn(), m_model->sortOrder());
}

void PointsTable::sortBestFirst(const std::string& metric) {
    m_metric = metric;
    if (!m_study || m_userSorted)
        return;
    m_model->sortBestFirst(metric);
    const auto rows = QString::fromStdString(engine::tickText(static_cast<double>(m_study->table.rows())));
    m_note->setText(tr("%1, best first. Double-click puts one on the canvas.").arg(rows));
    if (std::exchange(m_fresh, false)) // now that the best row bears its star
        for (int column = 0; column < m_model->columnCount(); ++column)
            m_table->resizeColumnToContents(column);
}

void PointsTable::selectRow(std::size_t row) {
    const int viewRow = m_model->viewRowOf(row);
    if (viewRow >= 0 && m_table->currentIndex().row() != viewRow)
        m_table->setCurrentIndex(m_model->index(viewRow, 0));
}

} // namespace heteroscape::widgets
