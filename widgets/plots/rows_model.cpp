// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/rows_model.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

QVariant RowsModel::data(const QModelIndex& index, int role) const {
    return index.isValid() ? cell(index.row(), index.column(), role) : QVariant();
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const bool isThere = orientation == Qt::Horizontal && section >= 0 && section < columns();
    return isThere ? head(section, role) : QVariant();
}

QVariant RowsModel::aligned(bool right) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft)));
}

void SortedRowsModel::setPlaces(std::vector<std::size_t> places) {
    std::vector<std::pair<Key, std::size_t>> keyed;
    keyed.reserve(places.size());
    for (const auto place : places)
        keyed.emplace_back(keyOf(place, m_column), place);
    const bool falling = m_order == Qt::DescendingOrder;
    std::stable_sort(keyed.begin(), keyed.end(), [this, falling](const auto& left, const auto& right) {
        const Key& a = falling ? right.first : left.first;
        const Key& b = falling ? left.first : right.first;
        if (a.number != b.number)
            return a.number < b.number;
        const int words = compare(a.words, b.words);
        return words != 0 ? words < 0 : a.then < b.then;
    });
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = keyed[i].second;
    m_places = std::move(places);
}

void SortedRowsModel::sort(int column, Qt::SortOrder order) {
    m_column = column;
    m_order = order;
    remake([this] { setPlaces(std::move(m_places)); });
}

int SortedRowsModel::rowOf(std::size_t place) const {
    const auto found = std::find(m_places.begin(), m_places.end(), place);
    return found == m_places.end() ? -1 : static_cast<int>(found - m_places.begin());
}

QString SortedRowsModel::withArrow(const QString& heading, int column) const {
    if (column != m_column)
        return heading;
    return heading + (m_order == Qt::DescendingOrder ? QStringLiteral(" \u25be") : QStringLiteral(" \u25b4"));
}

void SortedRowsModel::sortOnClick(QTableView& table) {
    table.horizontalHeader()->setSectionsClickable(true);
    connect(table.horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        const bool again = m_column == section && m_order == Qt::DescendingOrder;
        sort(section, again ? Qt::AscendingOrder : Qt::DescendingOrder);
    });
}

} // namespace heteroscape::widgets
