// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/calibration/calibration_source.h"
#include "widgets/plots/chart.h"

namespace heteroscape::widgets {

/// Measured against model, before a fit and now; rows that nothing is fitted on by their own marker. Any
/// thread.
Chart calibrationChart(const std::vector<CalibrationPoint>& points, const QString& unit);

} // namespace heteroscape::widgets
