// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"

#include <map>
#include <string>

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

} // namespace heteroscape::widgets
