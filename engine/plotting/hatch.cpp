// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/hatch.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

std::vector<PlotSegment> hatchLines(const PlotBox& box, double spacing) {
    std::vector<PlotSegment> lines;
    if (!(box.width > 0) || !(box.height > 0) || !(spacing > 0))
        return lines;
    // Along a rising line x + y is constant (y points down).
    const double first = box.left + box.top, last = box.right() + box.bottom();
    for (double i = std::floor(first / spacing) + 1; i * spacing < last; ++i) {
        const double sum = i * spacing;
        const double left = std::max(box.left, sum - box.bottom());
        const double right = std::min(box.right(), sum - box.top);
        if (right > left)
            lines.push_back({left, sum - left, right, sum - right});
    }
    return lines;
}

} // namespace heteroscape::engine
