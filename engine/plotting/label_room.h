// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace heteroscape::engine {

/// How names stand along an axis so that none overlap.
struct NameFit {
    enum class Way { Level, Slanted, Upright };
    Way way = Way::Level;
    int every = 1; ///< only every so many-th name has room
    bool operator==(const NameFit&) const = default;
};

/// Names of the given widths and one height, `pitch` apart, any unit: level when neighbours keep `gap`
/// between them, else slanted by 45°, else upright, else not all of them.
NameFit fitNames(const std::vector<double>& widths, double height, double pitch, double gap);

// The rule of all labels of a plot: a label lies on no word and on no line. Where there is no room beside
// what it names, it goes to the nearest free room, with a line to what it names; where there is none at all,
// it stays out.

/// A rectangle turned about its middle, as words along a line are.
struct TurnedBox {
    double x = 0, y = 0; ///< its middle
    double width = 0, height = 0;
    double radians = 0; ///< clockwise, as y goes down
};

bool crosses(const PlotSegment& segment, const TurnedBox& box);

/// Upright boxes that cover a turned one closely.
std::vector<PlotBox> boxesOf(const TurnedBox& box);

/// Words along a line: beside it, on no word and no line; sought above it first, or below. None where the
/// line is too short or has no free place beside it.
std::optional<TurnedBox> placeAlong(const PlotSegment& line, double width, double height, bool below,
                                    const std::vector<PlotBox>& words, const std::vector<PlotSegment>& lines,
                                    const PlotBox& bounds);

/// What is taken of a rectangle, for several labels one after the other.
class FreeRoom {
public:
    explicit FreeRoom(const PlotBox& bounds);
    ~FreeRoom();
    void take(const PlotBox& box);
    void take(const PlotSegment& line);
    /// The free box that is nearest to a point and that `accept` takes (unset: any; none once it has refused
    /// the 500 nearest); within 4 px of what is taken nothing is free. O(area) after something was taken,
    /// else of what lies as near as the box.
    std::optional<PlotBox> nearest(const LabelRequest& request,
                                   const std::function<bool(const PlotBox&)>& accept = {});

private:
    class Cells;
    PlotBox m_bounds;
    std::unique_ptr<Cells> m_cells;
};

/// The same for one label.
std::optional<PlotBox> nearestFree(const LabelRequest& request, const std::vector<PlotBox>& words,
                                   const std::vector<PlotSegment>& lines, const PlotBox& bounds,
                                   const std::function<bool(const PlotBox&)>& accept = {});

} // namespace heteroscape::engine
