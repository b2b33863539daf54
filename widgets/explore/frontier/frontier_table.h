// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/frontier/frontier_view.h"

#include <QAbstractTableModel>

namespace heteroscape::widgets {

/// The points on the fronts, one a row, the highest rate first until a heading is clicked. UI thread.
class FrontierTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        System,
        Layout,
        Server,
        Users,
        Rate,
        Speed,
        TimePerToken,
        FirstToken,
        Devices,
        Price,
        kColumns
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setView(std::shared_ptr<const FrontierView> view);
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_column; }
    Qt::SortOrder sortOrder() const { return m_order; }
    std::size_t pointAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; } ///< of the run
    int rowOf(std::size_t point) const;                                                  ///< -1: not listed

    QString heading(int column) const;
    QString exact(int row, int column) const; ///< as data: numbers whole, empty where not known

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    double number(std::size_t point, int column) const; ///< NaN: words, or not known
    QString words(std::size_t point, int column) const;
    void order();

    std::shared_ptr<const FrontierView> m_view;
    std::vector<std::size_t> m_rows; ///< points of the run
    int m_column = Rate;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace heteroscape::widgets
