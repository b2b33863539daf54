// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
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
/// the marks, the boxes, the lines and the leaders already drawn (FreeRoom). A label that finds no room
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
