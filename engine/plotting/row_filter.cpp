// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/row_filter.h"

#include "engine/base/parallel.h"
#include "engine/plotting/series.h"

#include <algorithm>
#include <numeric>

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
