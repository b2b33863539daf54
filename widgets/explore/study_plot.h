// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "engine/plotting/grid_rows.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/plots/chart_painter.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// Where each axis is held when it is neither across, nor a curve, nor averaged over.
using HeldValues = std::map<std::string, double>;

/// The first plot of a study: a metric over the first axis, one curve for each value of the second. A metric
/// that no point has (no price is set) gives way to the latency.
engine::StudyPlot firstPlot(const engine::StudyTable& table, const std::string& wanted);

/// Makes a plot fit a study: what the study lacks goes, what is missing takes the first that fits, and every
/// other axis is held where it was held last, else at its first value; a gain's axis not at the gain's base.
/// A scatter plot and parallel coordinates hold nothing, breakdowns, rooflines and timelines hold all but x.
/// A study without axes leaves no x: breakdowns and rooflines of its one design can be plotted all the same.
void settle(engine::StudyPlot& plot, const engine::StudyTable& table, HeldValues& held);

/// A plot of a study as a picture, and the rows of the study behind what is drawn. Also used without a
/// window.
struct StudyChart {
    static constexpr auto kNoRow = static_cast<std::size_t>(-1);

    Chart chart;
    std::vector<std::vector<std::size_t>> lineRows; ///< parallel to chart.lines; empty for lines without rows
    std::vector<std::vector<std::size_t>> areaRows; ///< [bar series][category], or [row][column] of a map
    std::vector<std::size_t> markRows;              ///< parallel to chart.marks; empty: they have none
    /// Lines of chart.references that stand for an end of a limit, of those that it was drawn by.
    struct LimitLine {
        std::size_t line;
        std::size_t limit;
        bool most;
    };
    std::vector<LimitLine> limitLines;

    /// The row of the study at a point; of a mean its first one. Nothing where there is none. A point of a
    /// cloud is its row.
    std::optional<std::size_t> rowOf(ChartPoint point) const;
    /// Where a row is drawn; nothing when it is not.
    std::optional<ChartPoint> pointOf(std::size_t row) const;
};

/// Draws a plot that fits the study (see settle()) from its points so far; parallel coordinates and
/// timelines, which are no charts, as lines. Rows that `kept` leaves out are drawn pale, are no optimum and
/// say why: by `limits`, those that `kept` is of; null: the study's stored ones. With bands it evaluates them
/// (prepareBands()), unless points are missing. Breakdowns and rooflines evaluate their designs, which may
/// take seconds. Any thread. Throws Error (NotFound) naming a column that is not there (Cancelled after a
/// stop request).
StudyChart studyChart(const LoadedStudy& study, const engine::StudyPlot& plot,
                      const engine::RowMask* kept = nullptr,
                      const std::vector<engine::Limit>* limits = nullptr, const std::stop_token& stop = {});

/// The same chart with other rows left out. Of a cloud only that is made anew: what a brush over a million
/// points needs while it moves.
void refilter(StudyChart& drawn, const LoadedStudy& study, const engine::StudyPlot& plot,
              const engine::RowMask* kept, const std::vector<engine::Limit>* limits = nullptr);

/// Says of every design that is drawn, for chartCsv(), what became of it (statusOf() of `kept`) and its key,
/// as the study's CSV does; curves then have a gap at each point that is not computed. Nothing of means,
/// which are of several designs. `study` outlives it.
void tellDesigns(StudyChart& drawn, const LoadedStudy& study, const engine::StudyPlot& plot,
                 const engine::RowMask* kept = nullptr);

/// Works out the bands that studyChart() of this plot draws, so that it finds them ready; `kept`: of fronts.
/// Nothing for a plot without any. Takes up to seconds; any thread. Throws Error (Cancelled).
void prepareBands(const LoadedStudy& study, const engine::StudyPlot& plot, const std::stop_token& stop = {},
                  const engine::RowMask* kept = nullptr);

/// Whether studyChart() of this plot need not work out bands. Any thread.
bool bandsReady(const LoadedStudy& study, const engine::StudyPlot& plot,
                const engine::RowMask* kept = nullptr);

} // namespace heteroscape::widgets
