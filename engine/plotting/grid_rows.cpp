// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/grid_rows.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/plotting/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

namespace {
constexpr std::size_t kGrain = 1 << 15; // rows: below, another thread costs more than it saves
} // namespace

RowMask rowsWithin(const StudyTable& table, std::span<const Limit> limits) {
    RowMask mask(table.rows(), 1);
    for (const auto& limit : limits) {
        const auto* column = table.find(limit.column);
        if (!column) {
            std::fill(mask.begin(), mask.end(), std::uint8_t{0});
            return mask;
        }
        const FeasibleValues value(table, *column);
        inParallel(mask.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            for (auto row = begin; row != end; ++row)
                mask[row] = static_cast<std::uint8_t>(mask[row] & (limit.holds(value(row)) ? 1 : 0));
        });
    }
    return mask;
}

std::size_t keptCount(const RowMask& mask) {
    return std::accumulate(mask.begin(), mask.end(), std::size_t{0});
}

std::size_t GridAxis::position(double value) const {
    const auto& values = axis->values;
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

std::optional<std::vector<GridAxis>> wholeGrid(const StudyTable& table) {
    const auto& axes = table.info.axes;
    std::vector<GridAxis> grid;
    std::size_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        const auto* column = table.find(axes[i].path);
        const auto& values = axes[i].values;
        for (std::size_t k = 0; k < values.size(); ++k)
            if (!column || k * stride >= table.rows() || column->at(k * stride) != values[k])
                return {}; // another order
        grid.push_back({&axes[i], stride});
        stride *= values.size();
    }
    if (axes.empty() || stride != table.rows())
        return {};
    std::reverse(grid.begin(), grid.end());
    return grid;
}

std::vector<std::size_t> rowsAt(const StudyTable& table,
                                std::span<const std::pair<std::string, double>> held) {
    std::vector<const StudyColumn*> columns;
    for (const auto& [name, value] : held)
        columns.push_back(&columnOf(table, name));
    const auto grid = wholeGrid(table);
    std::vector<std::size_t> rows;
    if (!grid || !std::all_of(columns.begin(), columns.end(), [](const auto* one) { return one->isAxis; })) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            std::size_t k = 0;
            while (k < held.size() && columns[k]->values[row] == held[k].second)
                ++k;
            if (k == held.size())
                rows.push_back(row);
        }
        return rows;
    }
    rows.push_back(0);
    for (const auto& axis : *grid) {
        // What an axis is held at, of all values only those; twice at different ones is nowhere.
        std::vector<std::size_t> positions(axis.length());
        for (std::size_t k = 0; k < positions.size(); ++k)
            positions[k] = k;
        for (const auto& [name, value] : held)
            if (name == axis.axis->path)
                std::erase_if(positions, [at = axis.position(value)](auto k) { return k != at; });
        std::vector<std::size_t> further;
        further.reserve(rows.size() * positions.size());
        for (const auto row : rows)
            for (const auto position : positions)
                further.push_back(row + position * axis.stride);
        rows = std::move(further);
    }
    return rows;
}

const StudyColumn& columnOf(const StudyTable& table, const std::string& name) {
    if (const auto* column = table.find(name))
        return *column;
    std::string allowed;
    for (const auto& column : table.columns)
        allowed += (allowed.empty() ? "" : ", ") + column.name;
    throw Error(ErrorCode::NotFound, "study \"" + table.info.name + "\"", "it has no column \"" + name + "\"",
                "Columns: " + allowed);
}

} // namespace heteroscape::engine
