// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/roofline/roofline_points.h"

#include <set>
#include <vector>

namespace heteroscape::widgets {

struct RooflineOptions {
    std::set<std::size_t> hidden; ///< rooflines left out
    bool labels = true;           ///< names beside the larger operators
};

/// The picture: roofs in the hue of their device, operators as marks whose area is their share of the time.
/// Its marks are the drawable points of the rooflines not hidden, in order.
Chart rooflineChart(const std::vector<engine::Roofline>& rooflines, const RooflineOptions& options);

} // namespace heteroscape::widgets
