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
    std::vector<PlotSegment> curves; ///< better left free
    std::vector<PlotSegment> rules;  ///< straight across the plot: read even where a word interrupts them
};

/// Places the names of lines across a plot, in the order given: above or below a level line, right or left of
/// an upright one, at the place along it that covers least; the right or top end when nothing is there.
/// Names never overlap each other or words while any place along their line is free of them; one that finds
/// none stays out. Parallel to `requests`.
std::vector<std::optional<PlotBox>> placeLineLabels(const std::vector<LineLabelRequest>& requests,
                                                    LabelGround ground, const PlotBox& bounds);

/// The box for a label next to a point: above when that is free, else where it covers least; always inside
/// `bounds` when it fits there at all.
PlotBox placeBeside(const LabelRequest& request, const LabelGround& ground, const PlotBox& bounds);

} // namespace heteroscape::engine
