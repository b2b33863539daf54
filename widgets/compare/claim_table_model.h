// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/claim_text.h"
#include "widgets/plots/rows_model.h"

#include <set>
#include <vector>

namespace heteroscape::widgets {

/// All claims of all papers as rows; the largest error first until another order is chosen.
class ClaimTableModel : public SortedRowsModel {
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

    explicit ClaimTableModel(QObject* parent = nullptr) : SortedRowsModel(Error, parent) {}

    void setComparisons(const std::vector<engine::PaperComparison>& comparisons);
    void setHidden(std::set<ClaimStatus> hidden); ///< rows of these are left out

    const Row& at(int row) const { return m_rows[pointAt(row)]; }
    int find(const std::string& paperId, const std::string& claim) const; ///< -1 when it is not shown
    QString csv() const;                                                  ///< every claim, exact numbers

private:
    int columns() const override { return kColumns; }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;
    Key keyOf(std::size_t place, int column) const override;
    int compare(const QString& a, const QString& b) const override { return a.localeAwareCompare(b); }
    QString text(const Row& row, int column) const;
    void list(); ///< the rows that are not hidden

    std::vector<engine::PaperComparison> m_comparisons;
    std::vector<Row> m_rows;
    std::set<ClaimStatus> m_hidden;
};

} // namespace heteroscape::widgets
