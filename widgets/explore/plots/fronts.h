// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/plots/plot_form.h"
#include "widgets/plots/chart.h"

#include <vector>

namespace heteroscape::widgets {

/// The points of one value of an axis, and the front of those that are kept.
struct GroupFront {
    QString name; ///< empty: all points are one group
    ChartColor color;
    ChartMarker marker = ChartMarker::Circle;
    ChartDash dash = ChartDash::Solid;
    bool ideal = false;            ///< its points are bounds that no software passes, and others' are not
    std::vector<std::size_t> rows; ///< on the front, by falling values of the second metric
};

/// What the fronts of a plot are made of: its first metric across, the second upwards.
struct Fronts {
    std::vector<double> x, y; ///< of every row, as they are read; NaN: not feasible
    int betterX = 1, betterY = 1;
    std::vector<GroupFront> groups; ///< in the order of the axis's values
    std::vector<char> isOn;         ///< of every row: it is on the front of its group
};

/// Of a plot with two metrics, by the values of its curve axis. Any thread.
Fronts frontsOf(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept);

extern const PlotForm scatterForm, bestAtForm, onFrontForm; ///< that fronts are drawn in, the first by marks

/// The values of a metric, row by row, as a plot reads it; NaN where a row is not feasible.
std::vector<double> rowValues(const LoadedStudy& study, const engine::SeriesQuery& query,
                              const std::string& metric);
int directionOf(const std::string& metric); ///< 1: more is better, or neither

/// The fronts of a chart's cloud as lines with the bands of what is known of their errors; what is on none of
/// them stands back, or is left out.
void addFronts(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
               const engine::RowMask* kept);
/// Works out the errors of the points on the fronts (LoadedStudy::errorOf()). Throws Error (Cancelled).
void prepareFronts(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept,
                   const std::stop_token& stop);
bool frontsReady(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept);

} // namespace heteroscape::widgets
