// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/validation/validation_view.h"

namespace heteroscape::widgets {

/// Measured against predicted over the same decades, with the line where both are alike and the bands of 10 %
/// and 25 % round it; a point a row, in the order of the view's rows. Any thread.
Chart scatterChart(const std::shared_ptr<const ValidationView>& view);

/// How many rows are off by how much, in bins of 5 %. Any thread.
Chart errorsChart(const ValidationView& view);

/// The line and its bands from one time to another, under whatever points a chart has.
void addIdentity(Chart& chart, engine::AxisRange range);

/// The decades that hold all of some positive values; 1 to 10 where there are none.
engine::AxisRange decadesOf(const std::vector<double>& one, const std::vector<double>& other);

} // namespace heteroscape::widgets
