// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_plot.h"

namespace heteroscape::widgets {

// The kinds of studyChart(), each into a chart whose titles and labels are set.
void addLines(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot);
void addBars(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot);
void addHeatMap(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot);

/// An axis of numbers or names for a column of the study.
ChartAxis chartAxis(const LoadedStudy& study, const engine::StudyColumn& column);

/// The values of a column's axis, rising.
std::vector<double> axisValues(const LoadedStudy& study, const std::string& path);

/// An axis of names whatever the column holds. A last word that all names share goes to the axis: "Workload:
/// sequence" with "1k", "2k".
ChartAxis namedAxis(const LoadedStudy& study, const engine::StudyColumn& column);

} // namespace heteroscape::widgets
