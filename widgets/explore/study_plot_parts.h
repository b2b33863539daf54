// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/cut.h"
#include "widgets/explore/study_plot.h"

#include <map>

namespace heteroscape::widgets {

// The kinds of studyChart(), each into a chart whose titles and labels are set.
void addLines(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
              const engine::RowMask* kept);
void addBars(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
             const engine::RowMask* kept);
void addHeatMap(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                const engine::RowMask* kept, const std::vector<engine::Limit>& limits);
void addScatter(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot);
void addBreakdown(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                  const engine::RowMask* kept, const std::stop_token& stop);
void addRoofline(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                 const std::stop_token& stop);

/// What a scatter plot keeps, its front and its optimum.
void filterScatter(StudyChart& out, const engine::StudyPlot& plot, const engine::RowMask* kept);

/// The bands of a metric's curves, parallel to them; from prepareBands() or worked out now. Empty when there
/// are none: not all points are there yet, or the metric depends on no calibrated constant.
std::vector<engine::Band> bandsOf(const LoadedStudy& study, const engine::SeriesQuery& query,
                                  const std::stop_token& stop = {});

/// Designs across: one for each value of x at the held axes, or the one there is without x.
struct AcrossRow {
    QString name;
    std::size_t row = StudyChart::kNoRow; ///< not computed yet
};
std::vector<AcrossRow> rowsAcross(const LoadedStudy& study, const engine::SeriesQuery& query);

bool isFilteredOut(const engine::RowMask* kept, std::size_t row);
/// "Filtered out: time per token over 0.05 s": by these limits, else by what is brushed.
QString filterReason(const LoadedStudy& study, const std::vector<engine::Limit>& limits, std::size_t row);

/// Marks where one of the first lines takes the lead from another, and where one crosses a reference line.
void addCrossovers(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                   const std::vector<engine::Series>& series);

/// Marks the knee of each of the first lines.
void addKnees(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot, std::size_t lines);

/// Why a row has no value: what does not fit, or which quantity is not set. Evaluates it where it is not
/// feasible.
QString gapReason(const LoadedStudy& study, const engine::SeriesQuery& query, std::size_t row);

/// The same for what is not there in a plot, each row once and only so many, and what they have in common.
class Gaps {
public:
    Gaps(const LoadedStudy& study, const engine::SeriesQuery& query) : m_study(study), m_query(query) {}

    QString reason(std::size_t row); ///< StudyChart::kNoRow: not computed yet
    QString word() const;            ///< "does not fit" when all that was asked for does not; else empty

private:
    const LoadedStudy& m_study;
    const engine::SeriesQuery& m_query;
    std::map<std::size_t, QString> m_known;
    std::size_t m_doNotFit = 0;
};

/// An axis of numbers or names for a column of the study.
ChartAxis chartAxis(const LoadedStudy& study, const engine::StudyColumn& column);

/// The values of a column's axis, rising.
std::vector<double> axisValues(const LoadedStudy& study, const std::string& path);

/// An axis of names whatever the column holds. A last word that all names share goes to the axis: "Workload:
/// sequence" with "1k", "2k".
ChartAxis namedAxis(const LoadedStudy& study, const engine::StudyColumn& column);

} // namespace heteroscape::widgets
