// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/bars.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace heteroscape::engine {

Stretch barStretch(std::size_t category, int bar, int count, double share) {
    const double each = share / std::max(count, 1);
    const double from = static_cast<double>(category) - share / 2 + bar * each;
    return {from, from + each};
}

std::optional<BarAt> barAt(double x, std::size_t categories, int count, double share) {
    const double nearest = std::round(x);
    if (!(nearest >= 0) || nearest >= static_cast<double>(categories) || count < 1)
        return std::nullopt;
    const double along = (x - nearest + share / 2) / share;
    if (along < 0 || along >= 1)
        return std::nullopt;
    return BarAt{static_cast<std::size_t>(nearest), std::min(count - 1, static_cast<int>(along * count))};
}

std::vector<Stretch> stackPieces(const std::vector<double>& values, const std::vector<int>& bars) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::map<int, double> above, below;
    std::vector<Stretch> pieces;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            pieces.push_back({none, none});
            continue;
        }
        double& end = (values[i] < 0 ? below : above)[bars.at(i)];
        pieces.push_back({end, end + values[i]});
        end += values[i];
    }
    return pieces;
}

} // namespace heteroscape::engine
