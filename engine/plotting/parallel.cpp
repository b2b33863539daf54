// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/parallel.h"

#include "engine/plotting/grid_rows.h"
#include "engine/plotting/series.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kLogSpan = 100.0; // two decades

} // namespace

double ParallelAxis::share(double value) const {
    if (upper <= lower)
        return 0.5;
    return log ? std::log(value / lower) / std::log(upper / lower) : (value - lower) / (upper - lower);
}

double ParallelAxis::valueAt(double share) const {
    return log ? lower * std::pow(upper / lower, share) : lower + share * (upper - lower);
}

ParallelAxis parallelAxis(const StudyTable& table, const std::string& name) {
    const auto& column = columnOf(table, name);
    ParallelAxis axis;
    axis.column = name;
    const FeasibleValues value(table, column);
    bool any = false;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double v = value(row);
        if (!std::isfinite(v))
            continue;
        axis.lower = any ? std::min(axis.lower, v) : v;
        axis.upper = any ? std::max(axis.upper, v) : v;
        any = true;
    }
    axis.log = any && axis.lower > 0 && axis.upper / axis.lower >= kLogSpan && !column.isChoice();
    axis.places.resize(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double v = value(row);
        axis.places[row] =
            std::isfinite(v) ? static_cast<std::uint16_t>(std::lround(axis.share(v) * (kParallelPlaces - 1)))
                             : kNoPlace;
    }
    return axis;
}

std::vector<ParallelBundle> parallelBundles(const ParallelAxis& left, const ParallelAxis& right,
                                            const RowMask& kept) {
    struct Count {
        std::uint32_t kept = 0, all = 0;
    };
    std::vector<Count> counts(std::size_t{kParallelPlaces} * kParallelPlaces);
    const auto rows = std::min({left.places.size(), right.places.size(), kept.size()});
    for (std::size_t row = 0; row < rows; ++row) {
        const auto from = left.places[row], to = right.places[row];
        if (from == kNoPlace || to == kNoPlace)
            continue;
        auto& count = counts[std::size_t{from} * kParallelPlaces + to];
        count.kept += kept[row];
        ++count.all;
    }
    std::vector<ParallelBundle> bundles;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].all > 0)
            bundles.push_back({static_cast<std::uint16_t>(i / kParallelPlaces),
                               static_cast<std::uint16_t>(i % kParallelPlaces), counts[i].kept,
                               counts[i].all});
    return bundles;
}

} // namespace heteroscape::engine
