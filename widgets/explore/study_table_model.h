// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/grid_rows.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/jobs/job.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {
struct Baseline;
}

namespace heteroscape::widgets {

/// The kept points of a study as rows: axes, metrics, bottleneck. Numbers to three digits, with the band that
/// 80 % lie in where they rest on a rule or on measurements, exact in the tooltip; while there is a baseline,
/// metrics as ratios to it. Made for millions of rows: of those nothing is kept but their order, and that
/// only once they are sorted or some are filtered out. The first of very many are listed at once, the others
/// in the next turns: a view takes long to make room for all.
class StudyTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit StudyTableModel(QObject* parent = nullptr);

    /// The metrics named come before the others, in this order. `kept`: one flag a row.
    void setStudy(std::shared_ptr<const LoadedStudy> study, const std::vector<std::string>& leading,
                  const engine::RowMask& kept);
    void setKept(const engine::RowMask& kept); ///< the rows that are shown; the order stays
    void setBaseline(std::shared_ptr<const engine::Baseline> baseline);
    void setHovered(std::optional<std::size_t> row); ///< is drawn in another colour
    void sortBestFirst(const std::string& metric);
    void sort(int column, Qt::SortOrder order) override; ///< of very many rows by and by
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }
    std::optional<std::size_t> best() const { return m_best; } ///< of the shown rows, by sortBestFirst()

    std::size_t rowAt(int viewRow) const;        ///< of the study
    int viewRowOf(std::size_t row) const;        ///< -1 when it is not shown, or not listed yet
    int columnOf(const std::string& name) const; ///< -1 when there is none
    std::string columnName(int column) const;    ///< empty for the bottleneck
    bool hasValues(int column) const;            ///< some point has one, as far as it is read

signals:
    void judged(); ///< rows have their bands now

public:
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    using Order = std::vector<std::uint32_t>; ///< rows of the study

private:
    void reorder(Order order);
    bool isKept(std::size_t row) const { return row >= m_kept.size() || m_kept[row]; }
    std::size_t rows() const { return m_study ? m_study->table.rows() : 0; }
    std::size_t shown() const { return m_filtered ? m_shown.size() : rows(); }
    bool listSome(); ///< a slice
    void filter();
    bool isBestFirst() const; ///< sorted by what the best is found by
    void findBest();
    bool isRatio(const engine::StudyColumn& column) const; ///< shown against the baseline
    QString numberText(const engine::StudyColumn& column, double value) const;
    QString bandOf(std::size_t row, std::size_t column) const; ///< empty while it is not known
    void judge();

    std::shared_ptr<const LoadedStudy> m_study;
    std::shared_ptr<const engine::Baseline> m_baseline;
    std::vector<std::size_t>
        m_columns; ///< of the study's table, without `feasible`; the bottleneck comes last
    Order m_order; ///< all rows; empty: as the study has them
    engine::RowMask m_kept;
    bool m_filtered = false;  ///< not all are kept
    Order m_shown;            ///< then those that are, in the same order
    std::size_t m_listed = 0; ///< of the shown, from the first
    Slices m_listing;
    /// Bands of the rows that were looked at, by column; each takes an evaluation, on another thread.
    mutable std::unordered_map<std::size_t, std::vector<QString>> m_bands;
    mutable std::vector<std::size_t> m_unsure; ///< rows that wait for theirs
    mutable QTimer m_asking;
    Job m_judging;
    std::string m_bestBy;
    std::optional<std::size_t> m_best;
    std::optional<std::size_t> m_hovered;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    Job m_sorting;
};

} // namespace heteroscape::widgets
