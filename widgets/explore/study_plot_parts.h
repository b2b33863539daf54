// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/cut.h"
#include "widgets/explore/study_plot.h"

#include <map>
#include <string_view>

class QRectF;

namespace heteroscape::widgets {

struct PlotDrawing;

// What kinds of plots share: each draws into a chart whose titles and labels are set.
void addLines(StudyChart& out, const PlotDrawing& of);
void addHeatMap(StudyChart& out, const PlotDrawing& of);

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

bool isFeasible(const LoadedStudy& study, std::size_t row); ///< computed, and the design runs
void checkStop(const PlotDrawing& of);                      ///< throws Error (Cancelled) after a stop request

bool isFilteredOut(const engine::RowMask* kept, std::size_t row);
/// What became of each of these rows (kNoRow: not computed), in the words of a study's CSV; empty where none
/// of them is filtered out.
std::vector<std::string_view> statusOf(const LoadedStudy& study, const engine::RowMask* kept,
                                       const std::vector<std::size_t>& rows);
/// "Filtered out: time per token over 0.05 s": by these limits, else by what is brushed.
QString filterReason(const LoadedStudy& study, const std::vector<engine::Limit>& limits, std::size_t row);

/// Marks where one of the first lines takes the lead from another, and where one crosses a reference line.
void addCrossovers(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                   const std::vector<engine::Series>& series);

/// Marks the knee of each of the first lines.
void addKnees(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot, std::size_t lines);

/// Series as a table: a row a curve, a column a value of x; NaN and kNoRow where there is no point.
struct Grid {
    std::vector<double> columns;
    std::vector<double> curves; ///< NaN when there is no axis of curves
    std::vector<std::vector<double>> values;
    std::vector<std::vector<std::size_t>> rows;
};
Grid gridOf(const LoadedStudy& study, const engine::SeriesQuery& query);

/// Brushes the values of an axis whose places 0, 1, 2… a stretch from one place to another touches.
void brushPlaces(std::vector<engine::Limit>& stretches, const LoadedStudy& study, const std::string& path,
                 double from, double to);
/// Brushes a metric that stands upwards, where it is of points as they are: no gain, no mean.
void brushMetric(std::vector<engine::Limit>& stretches, const engine::StudyPlot& plot,
                 const std::string& metric, const QRectF& box);

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
