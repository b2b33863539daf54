// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace heteroscape::engine {

/// A rectangle and a stretch of line on paper, y downwards, any unit.
struct PlotBox {
    double left = 0, top = 0, width = 0, height = 0;
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    bool isInside(const PlotBox& bounds) const {
        return left >= bounds.left && top >= bounds.top && right() <= bounds.right() &&
               bottom() <= bounds.bottom();
    }
};
struct PlotSegment {
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

bool overlap(const PlotBox& a, const PlotBox& b);
bool crosses(const PlotSegment& segment, const PlotBox& box);

/// A point that wants a label of a given size near it.
struct LabelRequest {
    double x = 0, y = 0;
    double radius = 0; ///< of the mark itself
    double width = 0, height = 0;
};

/// Where a label went. `leader`: it lies far enough from its point to need a line to it.
struct PlacedLabel {
    PlotBox box;
    bool leader = false;
};

/// Places labels in the order given, each at the nearest free place around its point, inside `bounds`, off
/// the marks, the boxes, the lines and the leaders already drawn (label_room.h). A label that finds no room
/// stays out. Only the first kFarLabels look for room all over the bounds: among more of them, a label far
/// from its point names nothing.
inline constexpr std::size_t kFarLabels = 16;
std::vector<std::optional<PlacedLabel>> placeLabels(const std::vector<LabelRequest>& requests,
                                                    std::vector<PlotBox> obstacles,
                                                    std::vector<PlotSegment> lines, const PlotBox& bounds);

/// Moves labels of one height apart along y: the least change from the wished middles such that none overlap
/// and all lie inside [top, bottom], keeping their order. Parallel to `wished`.
std::vector<double> spreadLabels(const std::vector<double>& wished, double height, double top, double bottom);

/// Rising lines at 45° that hatch a box, `spacing` apart along x, cut off at its edges. They continue over
/// boxes side by side. Lines rather than a pattern: they keep their look in every file format and size.
std::vector<PlotSegment> hatchLines(const PlotBox& box, double spacing);

} // namespace heteroscape::engine
