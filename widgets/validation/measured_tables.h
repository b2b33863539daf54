// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/rows_model.h"
#include "widgets/validation/validation_view.h"

namespace heteroscape::widgets {

/// Errors of the groups of a view, the worst first, and of all together. UI thread.
class ErrorGroupModel : public RowsModel {
    Q_OBJECT
public:
    enum Column { Name, Rows, Median, P90, Bias, Within10, Roofline, kColumns };
    using RowsModel::RowsModel;

    void setView(std::shared_ptr<const ValidationView> view);
    const std::string* labelAt(int row) const; ///< null: the row of all

private:
    int rows() const override;
    int columns() const override { return kColumns; }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;

    std::shared_ptr<const ValidationView> m_view;
};

/// The rows of a view one by one, the largest error first until another order is chosen. UI thread; sorting
/// costs as much as there are rows.
class MeasuredRowsModel : public SortedRowsModel {
    Q_OBJECT
public:
    enum Column { Kind, Device, Framework, Precision, Measured, Predicted, Error, Bound, Place, kColumns };
    explicit MeasuredRowsModel(QObject* parent = nullptr) : SortedRowsModel(Error, parent) {}

    static constexpr std::size_t kMost = 20000; ///< rows that are listed; the plots have all

    void setView(std::shared_ptr<const ValidationView> view);

private:
    int columns() const override { return kColumns; }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;
    Key keyOf(std::size_t point, int column) const override;

    std::shared_ptr<const ValidationView> m_view;
};

} // namespace heteroscape::widgets
