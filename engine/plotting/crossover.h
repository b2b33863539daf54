// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A curve as it is drawn: x rising, lines straight on the axes given. NaN in y is left out.
struct DrawnCurve {
    const std::vector<double>& x;
    const std::vector<double>& y;
    bool logX = false;
    bool logY = false;
};

/// The knee of a curve: the index of the point farthest from the straight line between its ends, both axes
/// scaled to the curve's own extent; on the side where the curve is still good (`better` 1: above the line,
/// as a throughput before it saturates; -1: below it, as a latency before it rises). Nothing for fewer than
/// three points, and for a curve that stays within `least` of the line: it has no knee.
/// Source: Satopää et al., "Finding a 'Kneedle' in a Haystack", 2011, section III, without smoothing.
std::optional<std::size_t> kneeIndex(const DrawnCurve& curve, int better, double least = 0.1);

/// Where a crossover is said to be. Interpolated: where the straight lines between two points meet, as they
/// are drawn. FirstPoint: at the first point at which the other curve leads, for what cannot lie between
/// points, such as a count.
enum class CrossoverKind { Interpolated, FirstPoint };
std::span<const std::string_view> crossoverKindNames(); ///< "interpolated", "first_point"

/// Two curves over the same x, rising. NaN in either is a gap.
struct CurvePair {
    const std::vector<double>& x;
    const std::vector<double>& first;
    const std::vector<double>& second;
    bool logX = false; ///< the axes as drawn: lines are straight on them
    bool logY = false;
};

/// From `x` on the other curve is the better one.
struct Crossover {
    double x = 0.0;
    double y = 0.0; ///< of the curve that leads from here on
    bool secondLeads = false;
};

/// Every place where the lead changes, from the left; `better` 1: the larger value leads, -1: the smaller.
/// Curves that touch and part again as before do not cross; curves that lie on each other cross where they
/// meet. Across a gap nothing is known, so nothing is reported.
std::vector<Crossover> crossovers(const CurvePair& curves, int better, CrossoverKind kind);

} // namespace heteroscape::engine
