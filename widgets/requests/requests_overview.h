// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"
#include "widgets/requests/request_lanes.h"

#include <QImage>

#include <array>

namespace heteroscape::widgets {

/// The whole run in so many dots: time along x, lanes from top to bottom, each at least `leastDots` high
/// (lanes that then have no room share a line). Work grows with lanes and dots: made once, not at every
/// paint.
QImage overviewPicture(const RequestLanes& lanes, QSize dots, int leastDots, ChartStyle style);

/// The colour of a stretch that phases fill to these shares, over the surface; what is hardly filled can
/// still be seen.
QColor coverageColor(const std::array<double, engine::kServingPhaseCount>& share, ChartStyle style,
                     double strength);

} // namespace heteroscape::widgets
