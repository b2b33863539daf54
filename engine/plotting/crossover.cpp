// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/crossover.h"

#include <algorithm>
#include <array>
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

namespace {

constexpr auto kNone = static_cast<std::size_t>(-1);

double onAxis(double value, bool log) {
    return log ? std::log(value) : value;
}

double offAxis(double value, bool log) {
    return log ? std::exp(value) : value;
}

/// Where the lines from point `from` to the next meet.
Crossover meeting(const CurvePair& curves, std::size_t from) {
    const auto at = [&](const std::vector<double>& curve, std::size_t i) {
        return onAxis(curve[i], curves.logY);
    };
    const double before = at(curves.first, from) - at(curves.second, from);
    const double after = at(curves.first, from + 1) - at(curves.second, from + 1);
    const double share = before / (before - after);
    const auto between = [share](double a, double b) { return a + share * (b - a); };
    const double x = between(onAxis(curves.x[from], curves.logX), onAxis(curves.x[from + 1], curves.logX));
    const double y = between(at(curves.first, from), at(curves.first, from + 1));
    return {offAxis(x, curves.logX), offAxis(y, curves.logY)};
}

} // namespace

std::span<const std::string_view> crossoverKindNames() {
    static constexpr std::array<std::string_view, 2> names{"interpolated", "first_point"};
    return names;
}

std::vector<Crossover> crossovers(const CurvePair& curves, int better, CrossoverKind kind) {
    std::vector<Crossover> found;
    int lead = 0;            ///< of the second curve: 1, of the first: -1, of neither yet: 0
    std::size_t met = kNone; ///< the first of the points since the lead at which both are equal
    for (std::size_t i = 0; i < curves.x.size(); ++i) {
        const double ahead = better * (curves.second[i] - curves.first[i]);
        const bool drawable = (!curves.logX || curves.x[i] > 0) &&
                              (!curves.logY || (curves.first[i] > 0 && curves.second[i] > 0));
        if (!std::isfinite(ahead) || !drawable) {
            lead = 0;
            met = kNone;
            continue;
        }
        if (ahead == 0) {
            if (met == kNone)
                met = i;
            continue;
        }
        const int now = ahead > 0 ? 1 : -1;
        if (lead != 0 && now != lead) {
            Crossover crossover;
            if (kind == CrossoverKind::FirstPoint)
                crossover = {curves.x[i], now > 0 ? curves.second[i] : curves.first[i]};
            else if (met != kNone)
                crossover = {curves.x[met], curves.first[met]};
            else
                crossover = meeting(curves, i - 1);
            crossover.secondLeads = now > 0;
            found.push_back(crossover);
        }
        lead = now;
        met = kNone;
    }
    return found;
}

} // namespace heteroscape::engine
