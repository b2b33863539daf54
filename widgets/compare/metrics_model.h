// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/runtime_choice.h"
#include "widgets/compare/compared_designs.h"
#include "widgets/document/metric_text.h"
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

/// Every metric that any of the designs has as a row: name, unit, and for each design its value and how it
/// stands to the reference. Three digits, exact in the tool tip.
class MetricsModel : public RowsModel {
    Q_OBJECT
public:
    using RowsModel::RowsModel;
    enum Column { Name, Unit, FirstDesign };

    void setDesigns(ComparedDesigns designs, std::size_t reference);
    void setNameWidth(int width); ///< px, of a design's name above its column

    const engine::MetricSpec& spec(int row) const { return *m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(engine::Metric metric) const;               ///< -1 when no design has it
    int valueColumn(std::size_t design) const;            ///< of its value
    std::size_t reference() const { return m_reference; } ///< of the designs shown
    int ratioColumn(std::size_t design) const;            ///< -1 for the reference
    /// The design that a column is about; nothing for the name and the unit.
    std::optional<std::size_t> designOf(int column) const;

private:
    int rows() const override { return static_cast<int>(m_rows.size()); }
    int columns() const override { return FirstDesign + static_cast<int>(m_places.size()); }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;
    MetricUnit unitOf(const engine::MetricSpec& row) const; ///< one for all designs

    struct Place {
        std::size_t design;
        bool ratio;
    };

    bool isLike(std::size_t design) const; ///< rests on what the reference does
    ComparedDesigns m_designs;
    std::vector<engine::Truth> m_truths; ///< of each
    int m_nameWidth = kLeastNameWidth;
    std::size_t m_reference = 0;
    std::vector<const engine::MetricSpec*> m_rows;
    std::vector<Place> m_places; ///< of the columns from FirstDesign on
};

} // namespace heteroscape::widgets
