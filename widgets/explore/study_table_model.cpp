// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_table_model.h"

#include "engine/plotting/series.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heteroscape::widgets {

void StudyTableModel::setStudy(std::shared_ptr<const LoadedStudy> study,
                               const std::vector<std::string>& leading) {
    beginResetModel();
    m_study = std::move(study);
    m_columns.clear();
    m_order.clear();
    m_best.reset();
    if (m_study) {
        const auto& table = m_study->table;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].name != "feasible")
                m_columns.push_back(i);
        const auto place = [&](std::size_t column) {
            if (table.columns[column].isAxis)
                return std::size_t{0};
            const auto found = std::find(leading.begin(), leading.end(), table.columns[column].name);
            return 1 + static_cast<std::size_t>(found - leading.begin());
        };
        std::stable_sort(m_columns.begin(), m_columns.end(),
                         [&place](auto a, auto b) { return place(a) < place(b); });
        m_order.resize(table.rows());
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    }
    endResetModel();
}

void StudyTableModel::reorder(std::vector<std::size_t> order) {
    emit layoutAboutToBeChanged();
    const auto before = persistentIndexList();
    QModelIndexList after;
    std::vector<int> placeOf(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        placeOf[order[i]] = static_cast<int>(i);
    for (const auto& index : before)
        after << this->index(placeOf[rowAt(index.row())], index.column());
    m_order = std::move(order);
    changePersistentIndexList(before, after);
    emit layoutChanged();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void StudyTableModel::sortBestFirst(const std::string& metric) {
    if (!m_study)
        return;
    const auto* spec = engine::findMetric(metric);
    const int better = spec ? spec->better : 0;
    m_best = engine::bestRow(m_study->table, metric, better);
    m_sortColumn = columnOf(metric);
    m_sortOrder = better < 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
    reorder(engine::rowsBestFirst(m_study->table, metric, better));
}

void StudyTableModel::sort(int column, Qt::SortOrder order) {
    if (!m_study || column < 0 || column >= columnCount())
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    const auto& table = m_study->table;
    auto rows = m_order;
    std::sort(rows.begin(), rows.end());
    const bool up = order == Qt::AscendingOrder;
    if (static_cast<std::size_t>(column) == m_columns.size())
        std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) {
            return up ? table.bound(a) < table.bound(b) : table.bound(b) < table.bound(a);
        });
    else {
        const auto& values = table.columns[m_columns[static_cast<std::size_t>(column)]];
        std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) {
            const double x = engine::feasibleValue(table, values, a),
                         y = engine::feasibleValue(table, values, b);
            if (std::isnan(x) || std::isnan(y))
                return !std::isnan(x) && std::isnan(y); // what has no value comes last, whichever the order
            return up ? x < y : y < x;
        });
    }
    reorder(std::move(rows));
}

int StudyTableModel::viewRowOf(std::size_t row) const {
    const auto found = std::find(m_order.begin(), m_order.end(), row);
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int StudyTableModel::columnOf(const std::string& name) const {
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (m_study->table.columns[m_columns[i]].name == name)
            return static_cast<int>(i);
    return -1;
}

int StudyTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int StudyTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_study ? 0 : static_cast<int>(m_columns.size()) + 1;
}

QVariant StudyTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto row = rowAt(index.row());
    const auto& table = m_study->table;
    const auto column = static_cast<std::size_t>(index.column());
    if (column == m_columns.size()) {
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
            return {};
        const auto* feasible = table.find("feasible");
        return feasible && feasible->values[row] != 1.0 ? tr("not feasible")
                                                        : QString::fromStdString(table.bound(row));
    }
    const auto& values = table.columns[m_columns[column]];
    const double value = engine::feasibleValue(table, values, row);
    switch (role) {
    case Qt::DisplayRole:
        return values.isAxis ? m_study->text(values, value)
                             : QString::fromStdString(engine::shortText(value, 4));
    case Qt::ToolTipRole:
        if (values.isChoice())
            return QString::fromStdString(values.text(value));
        return std::isnan(value) ? tr("No value: not feasible, or a figure it needs is not set")
                                 : QString::fromStdString(engine::exactText(value));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((values.isChoice() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case Qt::DecorationRole:
        if (column == 0 && m_best == row) {
            const auto& theme = Theme::instance();
            return theme.pixmap(QStringLiteral("star"), theme.series(1), 14, 2.0);
        }
        return {};
    default:
        return {};
    }
}

QVariant StudyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !m_study)
        return {};
    const auto column = static_cast<std::size_t>(section);
    const bool last = column >= m_columns.size();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(
            (last || m_study->table.columns[m_columns[column]].isChoice() ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && !last) {
        const auto& name = m_study->table.columns[m_columns[column]].name;
        const auto* spec = engine::findMetric(name);
        return spec ? QString::fromUtf8(spec->about.data(), static_cast<qsizetype>(spec->about.size()))
                    : QString::fromStdString(name);
    }
    if (role != Qt::DisplayRole)
        return {};
    // The arrow is part of the words: Qt's own would lie over right-aligned ones.
    const auto arrow = section != m_sortColumn             ? QString()
                       : m_sortOrder == Qt::AscendingOrder ? QStringLiteral(" ▴")
                                                           : QStringLiteral(" ▾");
    if (last)
        return tr("Bottleneck") + arrow;
    const auto& values = m_study->table.columns[m_columns[column]];
    return quantityLabel(QString::fromStdString(values.label), QString::fromStdString(values.unit)) + arrow;
}

} // namespace heteroscape::widgets
