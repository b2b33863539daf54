// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
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

} // namespace heteroscape::engine
