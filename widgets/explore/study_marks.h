// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/plotting/grid_rows.h"
#include "engine/plotting/series.h"
#include "widgets/explore/loaded_study.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// What is marked of the shown study, the same in every plot and in the table: the row that is pointed at,
/// the chosen row, which rows are kept by the study's limits and by what is brushed, and what everything is
/// read against. Plots and tables listen and draw; whoever is pointed at or brushed tells. UI thread only.
class StudyMarks : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Another study: nothing is pointed at, chosen or brushed. The same one with more points: all stays. Its
    /// stored limits are taken with another study. Emits nothing but keptChanged().
    void setStudy(std::shared_ptr<const LoadedStudy> study);
    const std::shared_ptr<const LoadedStudy>& study() const { return m_study; }

    std::optional<std::size_t> hovered() const { return m_hovered; }
    void hover(std::optional<std::size_t> row);
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> row);

    const std::vector<engine::Limit>& limits() const { return m_limits; }
    void setLimits(std::vector<engine::Limit> limits);
    /// As long as one is dragged: what is kept follows, nobody keeps it.
    void tryLimits(std::vector<engine::Limit> limits);
    /// What is brushed: at most one stretch a column.
    const std::vector<engine::Limit>& brush() const { return m_brush; }
    void brush(const engine::Limit& stretch); ///< replaces that of its column; one without ends takes it away
    void brush(std::vector<engine::Limit> stretches); ///< of these columns, as one change
    void clearBrush();

    /// One flag a row; empty without a study.
    const engine::RowMask& kept() const { return m_kept; }
    std::size_t keptCount() const { return m_keptCount; }

    /// Null: metrics are read as they are.
    const std::shared_ptr<const engine::Baseline>& baseline() const { return m_baseline; }
    void setBaseline(std::shared_ptr<const engine::Baseline> baseline);

    /// Whether some sliders are elsewhere than the stored points, so that plots show others.
    bool isScrubbed() const { return m_scrubbed; }
    void setScrubbed(bool scrubbed);

signals:
    void scrubbedChanged();
    void hoveredChanged();
    void selectedChanged();
    void limitsChanged(); ///< by setLimits(), before keptChanged()
    void limitsTried();   ///< by tryLimits(), before keptChanged()
    void keptChanged();   ///< after limits, brush or points changed
    void baselineChanged();

private:
    void filter();

    std::shared_ptr<const LoadedStudy> m_study;
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_selected;
    std::vector<engine::Limit> m_limits;
    bool m_trying = false; ///< they are not as they were set
    std::vector<engine::Limit> m_brush;
    engine::RowMask m_kept;
    std::size_t m_keptCount = 0;
    std::shared_ptr<const engine::Baseline> m_baseline;
    bool m_scrubbed = false;
};

/// The metrics of a row as a baseline called `name`.
std::shared_ptr<const engine::Baseline> baselineOf(const LoadedStudy& study, std::size_t row,
                                                   const QString& name);
/// The metrics of an evaluated design as one.
std::shared_ptr<const engine::Baseline> baselineOf(const engine::Evaluation& evaluation, const QString& name);

} // namespace heteroscape::widgets
