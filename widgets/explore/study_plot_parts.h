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

/// The rows' names: "1", "2"; or of choices.
std::vector<QString> axisNames(const LoadedStudy& study, const engine::StudyColumn& column);

} // namespace heteroscape::widgets
