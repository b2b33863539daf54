// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/points_table.h"

#include "engine/base/error.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/study_table_model.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/export_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kTableRow = 25;
constexpr int kMeasuredRows = 60; // for the width of a column

} // namespace

PointsTable::PointsTable(StudyMarks* marks, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_marks(marks),
      m_note(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, this)), m_filter(new QLineEdit(this)),
      m_clear(new QPushButton(tr("Clear filter"), this)), m_columns(new QMenu(this)),
      m_model(new StudyTableModel(this)), m_table(new QTableView(this)) {
    auto* column = makeColumn(this, {1, 1, 1, 6}, 6);
    column->addWidget(makeHead());
    column->addWidget(m_error);
    column->addWidget(m_table, 1);
    m_error->setContentsMargins(12, 0, 8, 0);
    m_error->setWordWrap(true);
    m_error->hide();
    setMinimumHeight(120);
    makeTable();
    connect(m_model, &StudyTableModel::layoutChanged, this, &PointsTable::bestChanged); // sorted by now
    connect(m_model, &StudyTableModel::judged, this, [this] {
        for (int at = 0; at < m_model->columnCount(); ++at) {
            const int before = m_table->columnWidth(at);
            if (m_table->isColumnHidden(at))
                continue;
            m_table->resizeColumnToContents(at);
            m_table->setColumnWidth(at, std::max(before, m_table->columnWidth(at)));
        }
    });
    connect(marks, &StudyMarks::keptChanged, this, [this] {
        if (!m_study || m_study != m_marks->study())
            return; // another study: showStudy() follows
        showNote();
        showKept();
    });
    connect(marks, &StudyMarks::limitsChanged, this, [this] {
        if (!m_filter->hasFocus() || !m_filter->isModified()) // what is being typed stays
            showFilter();
    });
    connect(marks, &StudyMarks::hoveredChanged, this, [this] { m_model->setHovered(m_marks->hovered()); });
    connect(marks, &StudyMarks::selectedChanged, this, &PointsTable::showSelected);
    connect(m_model, &QAbstractItemModel::rowsInserted, this,
            &PointsTable::showSelected); // it may be there now
    connect(marks, &StudyMarks::scrubbedChanged, this, &PointsTable::showNote);
    connect(marks, &StudyMarks::baselineChanged, this, [this] {
        m_model->setBaseline(m_marks->baseline());
        showNote();
    });
}

QWidget* PointsTable::makeHead() {
    auto* head = new QWidget(this);
    auto* best = new QPushButton(tr("Best first"), head);
    auto* choose = new QPushButton(tr("Columns"), head);
    choose->setObjectName(QStringLiteral("columns"));
    m_copy = new QPushButton(tr("Copy as CSV"), head);
    m_copy->setObjectName(QStringLiteral("copyStudy"));
    const auto csv = [this] {
        auto filter = m_marks->limits();
        filter.insert(filter.end(), m_marks->brush().begin(), m_marks->brush().end());
        return m_study ? studyCsvText(*m_study, filter) : QString();
    };
    m_save = new ExportButton({}, {{tr("The study as CSV…"), QStringLiteral("csv"), csv}},
                              QStringLiteral("study"), head);
    m_save->setObjectName(QStringLiteral("exportStudy"));
    connect(m_save, &ExportButton::failed, this, &PointsTable::failed);
    connect(m_save, &ExportButton::exported, this,
            [this](const QString& path) { emit done(tr("Written: %1").arg(path)); });
    connect(m_copy, &QPushButton::clicked, this, [this, csv] {
        QGuiApplication::clipboard()->setText(csv());
        emit done(tr("The study is on the clipboard as CSV."));
    });
    connect(best, &QPushButton::clicked, this, [this] {
        m_userSorted = false;
        sortBestFirst(m_metric);
    });
    connect(m_columns, &QMenu::aboutToShow, this, &PointsTable::fillColumnMenu);
    connect(choose, &QPushButton::clicked, this,
            [this, choose] { m_columns->popup(choose->mapToGlobal(QPoint(0, choose->height() + 2))); });
    m_clear->setObjectName(QStringLiteral("clearFilter"));
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_marks->clearBrush();
        m_marks->setLimits({});
        showFilter(); // what did not hold goes too
    });
    m_filter->setObjectName(QStringLiteral("filter"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter: ttft_s<=1, price_usd<=20000"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(300);
    connect(m_filter, &QLineEdit::editingFinished, this, &PointsTable::readFilter);
    m_note->setElided(true);
    auto* row = makeRow(head, {12, 8, 8, 0}, 8);
    row->addWidget(new TextLabel(tr("Points"), TextSize::Body, ColorRole::Text, QFont::DemiBold, head));
    row->addWidget(m_note, 1);
    row->addWidget(m_filter, 1);
    for (auto* widget : std::initializer_list<QWidget*>{m_clear, choose, best, m_copy, m_save})
        row->addWidget(widget);
    m_clear->hide();
    return head;
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
    auto* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setStretchLastSection(true);
    header->setSectionsClickable(true);
    header->setResizeContentsPrecision(kMeasuredRows);
    m_table->setCornerWidget(new Surface(ColorRole::Surface, false));
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    explainCells(
        m_table,
        [this](const QModelIndex& cell) -> std::optional<ExplainTarget> {
            const auto name = cell.isValid() ? m_model->columnName(cell.column()) : std::string();
            if (!m_study || !engine::findMetric(name))
                return {};
            return ExplainTarget{m_study->scenarioOf(m_model->rowAt(cell.row())), name};
        },
        false);
    m_table->viewport()->setMouseTracking(true);
    m_table->viewport()->installEventFilter(this);
    connect(header, &QHeaderView::sectionClicked, this, [this](int section) {
        const bool again = m_model->sortColumn() == section && m_model->sortOrder() == Qt::DescendingOrder;
        m_userSorted = true;
        m_model->sort(section, again ? Qt::AscendingOrder : Qt::DescendingOrder);
        showNote();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_following)
                    m_marks->select(m_model->rowAt(current.row()));
            });
    // activated() is both: double click and Enter.
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(m_model->rowAt(index.row())); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier))
            emit rowActivated(m_model->rowAt(index.row()));
    });
}

bool PointsTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport()) {
        if (event->type() == QEvent::MouseMove) {
            const auto index = m_table->indexAt(static_cast<QMouseEvent*>(event)->position().toPoint());
            m_marks->hover(index.isValid() ? std::optional(m_model->rowAt(index.row())) : std::nullopt);
        } else if (event->type() == QEvent::Leave) {
            m_marks->hover({});
        }
    }
    return Surface::eventFilter(watched, event);
}

void PointsTable::showStudy(const std::vector<std::string>& leading) {
    const auto study = m_marks->study();
    const bool another = !study || !m_study || m_study->table.info.id != study->table.info.id;
    const auto sortedBy = m_model->columnName(m_model->sortColumn());
    const bool byBottleneck = m_model->sortColumn() >= 0 && sortedBy.empty();
    if (another)
        m_userSorted = false;
    m_fresh = m_fresh || another || m_study->table.partial != study->table.partial;
    m_study = study;
    auto *across = m_table->horizontalScrollBar(), *down = m_table->verticalScrollBar();
    const QPoint place(across->value(), down->value());
    m_following = true;
    m_model->setStudy(m_study, leading, m_marks->kept());
    m_following = false;
    m_model->setHovered(m_marks->hovered());
    if (another)
        showFilter();
    showWhole();
    hideColumns();
    if (m_study && m_userSorted)
        m_model->sort(byBottleneck ? m_model->columnCount() - 1 : m_model->columnOf(sortedBy),
                      m_model->sortOrder());
    showSelected();
    if (another)
        return;
    m_table->doItemsLayout(); // as far as there are rows and columns again, where it was
    across->setValue(place.x());
    down->setValue(place.y());
}

void PointsTable::sortBestFirst(const std::string& metric) {
    m_metric = metric;
    if (!m_study)
        return;
    if (!m_userSorted)
        m_model->sortBestFirst(metric);
    showNote();
    if (std::exchange(m_fresh, false)) // now that the best row bears its star
        for (int column = 0; column < m_model->columnCount(); ++column)
            if (!m_table->isColumnHidden(column))
                m_table->resizeColumnToContents(column);
    emit bestChanged();
}

std::optional<std::size_t> PointsTable::best() const {
    return m_model->best();
}

void PointsTable::readFilter() {
    if (m_filter->text() == m_shownFilter) { // the limits may have been set elsewhere since
        m_error->hide();
        return;
    }
    std::vector<engine::Limit> limits;
    QString error;
    for (const auto& text : engine::limitTexts(m_filter->text().toStdString())) {
        try {
            limits.push_back(engine::parseLimit(text, decimalsHere()));
            const auto* column = m_study ? m_study->table.find(limits.back().column) : nullptr;
            const auto name = QString::fromStdString(limits.back().column);
            if (m_study && m_study->table.partial && (!column || column->values.empty()))
                error = tr("“%1” is still being read.").arg(name);
            else if (m_study && !column && limits.back().column != engine::kTruthColumn)
                error = tr("This study has no column “%1”.").arg(name);
        } catch (const engine::Error& problem) {
            error = QString::fromUtf8(problem.what());
        }
        if (!error.isEmpty())
            break;
    }
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    if (!error.isEmpty())
        return;
    m_marks->setLimits(std::move(limits));
    showFilter();
}

void PointsTable::showFilter() {
    QStringList texts;
    for (const auto& limit : m_marks->limits())
        texts << QString::fromStdString(engine::limitText(limit));
    m_shownFilter = texts.join(QStringLiteral(", "));
    m_filter->setText(m_shownFilter);
    m_error->hide();
}

void PointsTable::showWhole() {
    const bool whole = m_study && !m_study->table.partial;
    const auto why = m_study && !whole ? tr("The study is still being read") : QString();
    for (auto* button : std::initializer_list<QWidget*>{m_copy, m_save}) {
        button->setEnabled(whole);
        button->setToolTip(plainTip(why));
    }
}

void PointsTable::showKept() {
    m_following = true; // a row that goes is still the chosen one
    m_model->setKept(m_marks->kept());
    m_following = false;
    showSelected();
    emit bestChanged();
}

void PointsTable::showNote() {
    if (!m_study)
        return;
    const auto rows = m_study->table.rows(), kept = m_marks->keptCount();
    auto note = kept == rows ? m_userSorted ? countText(rows) : tr("%1, best first").arg(countText(rows))
                             : tr("%1 shown, %2 filtered out").arg(countText(kept), countText(rows - kept));
    if (m_marks->isScrubbed()) // first: of what is too long the end is cut
        note = tr("the sliders do not move them: %1, as stored").arg(note);
    else if (m_study->table.partial)
        note = tr("%1; more metrics are being read").arg(note);
    else if (m_marks->baseline())
        note = tr("%1; × of %2").arg(note, QString::fromStdString(m_marks->baseline()->name));
    else if (kept == rows)
        note = tr("%1. Double-click puts one on the canvas.").arg(note);
    m_note->setText(note);
    m_clear->setVisible(!m_marks->limits().empty() || !m_marks->brush().empty());
}

void PointsTable::showSelected() {
    const auto row = m_marks->selected();
    const int viewRow = row ? m_model->viewRowOf(*row) : -1;
    m_following = true;
    if (viewRow < 0)
        m_table->setCurrentIndex({});
    else if (m_table->currentIndex().row() != viewRow)
        m_table->setCurrentIndex(m_model->index(viewRow, 0));
    m_following = false;
}

void PointsTable::hideColumns() {
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_table->setColumnHidden(column, !m_model->hasValues(column) ||
                                             m_hidden.contains(m_model->columnName(column)));
}

void PointsTable::fillColumnMenu() {
    m_columns->clear();
    for (int column = 0; column + 1 < m_model->columnCount(); ++column) {
        if (!m_model->hasValues(column))
            continue;
        const auto& values = *m_study->table.find(m_model->columnName(column));
        auto* action = m_columns->addAction(QString::fromStdString(values.label));
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, name = values.name](bool shown) {
            if (shown)
                m_hidden.erase(name);
            else
                m_hidden.insert(name);
            hideColumns();
        });
    }
}

} // namespace heteroscape::widgets

#include "moc_points_table.cpp"
