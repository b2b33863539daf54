// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <vector>

class QTableView;

namespace heteroscape::widgets {

/// A table of rows under headings. What is made from it is asked for cells and headings that are there alone.
/// UI thread.
class RowsModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : rows(); }
    int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : columns(); }
    QVariant data(const QModelIndex& index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

protected:
    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual QVariant cell(int row, int column, int role) const = 0;
    virtual QVariant head(int column, int role) const = 0;

    static QVariant aligned(bool right); ///< for Qt::TextAlignmentRole

    /// Does something after which the rows are others.
    template <class Change>
    void remake(Change change) {
        beginResetModel();
        change();
        endResetModel();
    }
};

/// Rows that stand for places of something else, in the order of a column: falling until another order is
/// chosen. Sorting costs one key a row and as many comparisons as std::stable_sort needs.
class SortedRowsModel : public RowsModel {
public:
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_column; }
    Qt::SortOrder sortOrder() const { return m_order; }
    std::size_t pointAt(int row) const { return m_places[static_cast<std::size_t>(row)]; }
    int rowOf(std::size_t place) const; ///< -1: not listed

    /// Sorts by the heading that is clicked: falling, a second time rising.
    void sortOnClick(QTableView& table);

protected:
    /// What comes before the same of others: a number, then words, then another number.
    struct Key {
        double number = 0.0;
        QString words{};
        double then = 0.0;
    };
    SortedRowsModel(int column, QObject* parent) : RowsModel(parent), m_column(column) {}

    int rows() const final { return static_cast<int>(m_places.size()); }
    virtual Key keyOf(std::size_t place, int column) const = 0;
    virtual int compare(const QString& a, const QString& b) const { return QString::compare(a, b); }

    void setPlaces(std::vector<std::size_t> places); ///< within remake()
    /// A heading with the arrow of its order. The arrow is part of the words: Qt's own would lie over
    /// right-aligned ones.
    QString withArrow(const QString& heading, int column) const;

private:
    std::vector<std::size_t> m_places;
    int m_column;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace heteroscape::widgets
