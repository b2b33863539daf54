// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <QPainterPath>

namespace heteroscape::widgets {

/// The outline of a marker around a point.
QPainterPath markerPath(ChartMarker marker, QPointF middle, double diameter);

} // namespace heteroscape::widgets
