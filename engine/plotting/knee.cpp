// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/knee.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

std::optional<std::size_t> kneeIndex(const DrawnCurve& curve, int better, double least) {
    struct Point {
        std::size_t index;
        double x;
        double y;
    };
    std::vector<Point> points;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        const double x = curve.logX ? std::log(curve.x[i]) : curve.x[i];
        const double y = curve.logY ? std::log(curve.y[i]) : curve.y[i];
        if (std::isfinite(x) && std::isfinite(y))
            points.push_back({i, x, y});
    }
    if (points.size() < 3)
        return std::nullopt;
    double low = points.front().y;
    double high = low;
    for (const auto& point : points) {
        low = std::min(low, point.y);
        high = std::max(high, point.y);
    }
    const auto& first = points.front();
    const auto& last = points.back();
    const double width = last.x - first.x;
    const double height = high - low;
    if (!(width > 0.0) || !(height > 0.0))
        return std::nullopt;
    std::optional<std::size_t> knee;
    for (const auto& point : points) {
        const double share = (point.x - first.x) / width;
        const double line = first.y + share * (last.y - first.y);
        const double away = better * (point.y - line) / height;
        if (away > least) {
            least = away;
            knee = point.index;
        }
    }
    return knee;
}

} // namespace heteroscape::engine
