// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/validation/validation_view.h"

#include <QAbstractTableModel>

namespace heteroscape::widgets {

/// Errors of the groups of a view, the worst first, and of all together. UI thread.
class ErrorGroupModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Rows, Median, P90, Bias, Within10, Roofline, kColumns };
    using QAbstractTableModel::QAbstractTableModel;

    void setView(std::shared_ptr<const ValidationView> view);
    const std::string* labelAt(int row) const; ///< null: the row of all

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const ValidationView> m_view;
};

/// The rows of a view one by one, the largest error first until another order is chosen. UI thread; sorting
/// costs as much as there are rows.
class MeasuredRowsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Kind, Device, Framework, Precision, Measured, Predicted, Error, Bound, Place, kColumns };
    using QAbstractTableModel::QAbstractTableModel;

    static constexpr std::size_t kMost = 20000; ///< rows that are listed; the plots have all

    void setView(std::shared_ptr<const ValidationView> view);
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_column; }
    Qt::SortOrder sortOrder() const { return m_order; }
    std::size_t pointAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; } ///< of the view
    int rowOf(std::size_t point) const;                                                  ///< -1: not listed

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void order();

    std::shared_ptr<const ValidationView> m_view;
    std::vector<std::size_t> m_rows; ///< of the view
    int m_column = Error;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace heteroscape::widgets
