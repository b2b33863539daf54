// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/frontier/frontier_view.h"
#include "widgets/plots/rows_model.h"

namespace heteroscape::widgets {

/// The points on the fronts, one a row, the highest rate first until a heading is clicked. UI thread.
class FrontierTableModel : public SortedRowsModel {
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
        Error,
        Bottleneck,
        Truth, ///< where kinds are mixed alone
        kColumns
    };
    explicit FrontierTableModel(QObject* parent = nullptr) : SortedRowsModel(Rate, parent) {}

    void setView(std::shared_ptr<const FrontierView> view);

    QString heading(int column) const;        ///< as data: its unit stays, whatever the values
    QString exact(int row, int column) const; ///< as data: numbers whole, empty where not known

private:
    int columns() const override { return m_view && m_view->truths.areMixed() ? kColumns : int{Truth}; }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;
    Key keyOf(std::size_t point, int column) const override;
    double number(std::size_t point, int column) const; ///< as data; NaN: words, or not known
    engine::ShownUnit shown(int column) const;          ///< what a column is read in, by its data
    QString words(std::size_t point, int column) const;
    std::shared_ptr<const FrontierView> m_view;
};

} // namespace heteroscape::widgets
