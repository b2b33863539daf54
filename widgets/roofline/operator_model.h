// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/rows_model.h"
#include "widgets/roofline/roofline_points.h"

#include <QTreeView>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace heteroscape::widgets {

/// The operators of every device and phase under a heading each, those that take longest first.
class OperatorModel : public RowsModel {
    Q_OBJECT
public:
    using RowsModel::RowsModel;
    enum Column { Name, Share, Time, OfRoof, Columns };
    /// Of Share, for who draws it: the share, and the kind of device whose hue it has.
    enum Role { ShareRole = Qt::UserRole, KindRole };

    void setRooflines(const std::vector<engine::Roofline>& rooflines, const std::set<std::size_t>& hidden);
    void setFilter(const QString& text); ///< lists operators whose name holds it

    bool isHeading(int row) const { return !m_rows[static_cast<std::size_t>(row)].point; }
    int pointAt(int row) const; ///< index into rooflinePoints(); -1: a heading
    int rowOf(int point) const; ///< -1: not listed
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    int rows() const override { return static_cast<int>(m_rows.size()); }
    int columns() const override { return Columns; }
    QVariant cell(int row, int column, int role) const override;
    QVariant head(int column, int role) const override;
    QVariant heading(const engine::Roofline& roofline, int role) const;
    QString text(const RooflinePoint& point, int column) const;
    QString toolTip(const RooflinePoint& point, int column) const;
    void arrange();

    std::vector<engine::Roofline> m_rooflines;
    std::vector<RooflinePoint> m_points;
    std::set<std::size_t> m_hidden;
    QString m_filter;
    struct Row {
        std::size_t roofline;
        std::optional<std::size_t> point; ///< none: the heading
    };
    std::vector<Row> m_rows;
};

/// The operators of every device and phase: name, share of the step's time as a bar, ms, part of the roof
/// reached.
class OperatorList : public QTreeView {
    Q_OBJECT
public:
    explicit OperatorList(QWidget* parent = nullptr);

    void setRooflines(const std::vector<engine::Roofline>& rooflines, const std::set<std::size_t>& hidden);
    void setFilter(const QString& text); ///< shows operators whose name holds it
    void selectPoint(int point);         ///< index into rooflinePoints(); -1: none

signals:
    void pointSelected(int point);

private:
    void spanHeadings();

    OperatorModel* m_model;
};

} // namespace heteroscape::widgets
