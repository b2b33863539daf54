// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/claim_text.h"

#include <QAbstractTableModel>

#include <set>
#include <vector>

namespace heteroscape::widgets {

/// All claims of all papers as rows; the largest error first until another order is chosen.
class ClaimTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Status,
        Paper,
        Claim,
        Condition,
        PaperValue,
        ModelValue,
        Error,
        Variants, ///< the model's number under the paper's other conventions
        Kind,
        Where,
        Why,
        kColumns
    };

    struct Row {
        std::string paperId;
        std::string paper;
        engine::ClaimResult result;
        QString variants;
        QString parts; ///< the numbers behind it, in words
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setComparisons(const std::vector<engine::PaperComparison>& comparisons);
    void setHidden(std::set<ClaimStatus> hidden); ///< rows of these are left out
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    const Row& at(int row) const { return m_rows[m_order[static_cast<std::size_t>(row)]]; }
    int find(const std::string& paperId, const std::string& claim) const; ///< -1 when it is not shown
    QString csv() const;                                                  ///< every claim, exact numbers

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const Row& row, int column) const;
    void reorder();

    std::vector<engine::PaperComparison> m_comparisons;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_order;
    std::set<ClaimStatus> m_hidden;
    int m_sortColumn = Error;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace heteroscape::widgets
