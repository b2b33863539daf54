// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

/// Writes the figures and the data of a finished study into a folder, which is made when it is not there:
/// each of `plots` as plot-1.png, plot-2.png … with what it shows as plot-1.csv …, and study.csv. Without
/// plots: throughput.png and cost_efficiency.png over the first axis by the second (further axes stand at
/// their first value), roofline.png of the study's base, and study.csv. Pictures are 178 mm wide at 200 dpi.
/// Needs a QApplication (offscreen will do) and the theme installed. Returns the paths written; throws Error
/// naming the path.
std::vector<QString> writeReport(const LoadedStudy& study, const std::vector<engine::StudyPlot>& plots,
                                 const QString& folder);

} // namespace heteroscape::widgets
