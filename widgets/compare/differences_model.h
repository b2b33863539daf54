// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"
#include "widgets/compare/designs_page_parts.h"
#include "widgets/plots/rows_model.h"

namespace heteroscape::widgets {

/// The properties of designs side by side, by group; those in which all agree are hidden unless asked for.
class DifferencesModel : public RowsModel {
    Q_OBJECT
public:
    using RowsModel::RowsModel;
    enum Column { Property, FirstDesign };

    void setProperties(std::vector<engine::PropertyComparison> rows, std::vector<QString> names);
    void setSameShown(bool shown);
    void setNameWidth(int width); ///< px, of a design's name above its column
    int differences() const { return m_differences; }

    /// The row of a property; null for the heading of a group.
    const engine::PropertyComparison* at(int row) const;

private:
    int rows() const override { return static_cast<int>(m_rows.size()); }
    int columns() const override { return FirstDesign + static_cast<int>(m_names.size()); }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;
    void arrange();
    QString nameOf(const engine::PropertyComparison& row) const;

    std::vector<engine::PropertyComparison> m_all;
    std::vector<QString> m_names;
    int m_nameWidth = kLeastNameWidth;
    bool m_same = false;
    int m_differences = 0;
    struct Row {
        engine::PropertyGroup group;
        std::optional<std::size_t> property; ///< of m_all; none: the group's heading
    };
    std::vector<Row> m_rows;
};

} // namespace heteroscape::widgets
