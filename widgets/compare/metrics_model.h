// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"
#include "widgets/document/metric_text.h"

#include <QAbstractTableModel>

namespace heteroscape::widgets {

/// Every metric that any of the designs has as a row: name, unit, and for each design its value and how it
/// stands to the reference. Three digits, exact in the tool tip.
class MetricsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    enum Column { Name, Unit, FirstDesign };

    void setDesigns(ComparedDesigns designs, std::size_t reference);

    const engine::MetricSpec& spec(int row) const { return *m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(engine::Metric metric) const;               ///< -1 when no design has it
    int valueColumn(std::size_t design) const;            ///< of its value
    std::size_t reference() const { return m_reference; } ///< of the designs shown
    int ratioColumn(std::size_t design) const;            ///< -1 for the reference
    /// The design that a column is about; nothing for the name and the unit.
    std::optional<std::size_t> designOf(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    MetricUnit unitOf(const engine::MetricSpec& row) const; ///< one for all designs

    struct Place {
        std::size_t design;
        bool ratio;
    };

    ComparedDesigns m_designs;
    std::size_t m_reference = 0;
    std::vector<const engine::MetricSpec*> m_rows;
    std::vector<Place> m_places; ///< of the columns from FirstDesign on
};

} // namespace heteroscape::widgets
