// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/frontier/frontier_view.h"

namespace heteroscape::widgets {

/// Throughput against speed: a point each, in the order of `placed`, the fronts as lines, limits across. Any
/// thread.
Chart frontierChart(const std::shared_ptr<const FrontierView>& view);

/// The best rate of each system for users who get at least so much speed, at a few speeds. Any thread.
Chart bestAtSpeedChart(const FrontierView& view);

/// Of each system which layouts its front consists of, over speed: a bar where the layout is the best. Any
/// thread.
Chart layoutsOnFrontChart(const FrontierView& view);

} // namespace heteroscape::widgets
