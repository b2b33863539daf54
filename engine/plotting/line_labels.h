// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"

#include <vector>

namespace heteroscape::engine {

/// A line across the plot that wants its name beside it.
struct LineLabelRequest {
    bool vertical = false;
    double at = 0; ///< y of a level line, x of an upright one
    double width = 0, height = 0;
};

/// What is on the plot already.
struct LabelGround {
    std::vector<PlotBox> words;      ///< never to be covered
    std::vector<PlotBox> areas;      ///< better left free: bars
    std::vector<PlotSegment> curves; ///< never to be covered
    std::vector<PlotSegment> rules;  ///< straight across the plot: read even where a word interrupts them
};

/// Places the names of lines across a plot, in the order given: above or below a level line, right or left of
/// an upright one, at the place along it that covers least; the right or top end when nothing is there.
/// Names never lie on each other, on words or on curves; one that finds no place along its line stays out.
/// Parallel to `requests`.
std::vector<std::optional<PlotBox>> placeLineLabels(const std::vector<LineLabelRequest>& requests,
                                                    LabelGround ground, const PlotBox& bounds);

/// The box for a label next to a point: above when that is free of words and curves, else around it, further
/// off, or in the nearest free room. Always inside `bounds` when it fits there at all: where nothing is free,
/// where it covers least.
PlotBox placeBeside(const LabelRequest& request, const LabelGround& ground, const PlotBox& bounds);

} // namespace heteroscape::engine
