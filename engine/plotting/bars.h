// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace heteroscape::engine {

/// A stretch of an axis.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    double middle() const { return (from + to) / 2; }
};

/// Where bar `bar` of the `count` bars of the group around `category` stands. Categories lie at 0, 1, 2…; a
/// group takes `share` of the way to the next.
Stretch barStretch(std::size_t category, int bar, int count, double share = 0.8);

/// The bar of the group around the nearest category that lies at `x`; nothing between groups.
struct BarAt {
    std::size_t category = 0;
    int bar = 0;
};
std::optional<BarAt> barAt(double x, std::size_t categories, int count, double share = 0.8);

/// The pieces of stacked bars in one category. `values` and `bars` are parallel, one entry a series: series
/// of the same bar stand on each other in the order given, values below zero downwards. A NaN is no piece
/// (both ends NaN) and takes no room.
std::vector<Stretch> stackPieces(const std::vector<double>& values, const std::vector<int>& bars);

} // namespace heteroscape::engine
