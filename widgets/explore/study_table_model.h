// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_runner.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// All points of a study as rows: axes, metrics, bottleneck. Numbers to three figures, exact in the tooltip.
class StudyTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// The metrics named come before the others, in this order.
    void setStudy(std::shared_ptr<const LoadedStudy> study, const std::vector<std::string>& leading = {});
    void sortBestFirst(const std::string& metric);
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    std::size_t rowAt(int viewRow) const {
        return m_order[static_cast<std::size_t>(viewRow)];
    }                                            ///< of the study
    int viewRowOf(std::size_t row) const;        ///< -1 when there is none
    int columnOf(const std::string& name) const; ///< -1 when there is none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void reorder(std::vector<std::size_t> order);

    std::shared_ptr<const LoadedStudy> m_study;
    std::vector<std::size_t>
        m_columns; ///< of the study's table, without `feasible`; the bottleneck comes last
    std::vector<std::size_t> m_order;
    std::optional<std::size_t> m_best;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace heteroscape::widgets
