// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace heteroscape::engine {

/// One thing that is wanted: a value for each point, and whether more (1) or less (-1) of it is better.
struct Objective {
    const std::vector<double>& values; ///< NaN: the point takes no part
    int better = 1;
};

/// The Pareto front of two or three objectives: the points that no other point beats, that is, is at least as
/// good in all and better in one. Of points equal in all objectives the first stands for them. Indices in
/// the order of the first objective, best first, then of the second. O(n log n). None for other numbers of
/// objectives or values of different length.
/// Source: Kung, Luccio and Preparata, "On Finding the Maxima of a Set of Vectors", 1975.
std::vector<std::size_t> paretoFront(const std::vector<Objective>& objectives);

} // namespace heteroscape::engine
