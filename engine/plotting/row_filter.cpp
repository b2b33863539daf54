// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/row_filter.h"

#include "engine/plotting/series.h"

#include <algorithm>
#include <numeric>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

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
        using Range = oneapi::tbb::blocked_range<std::size_t>;
        oneapi::tbb::parallel_for(Range(0, mask.size(), kGrain), [&](const Range& range) {
            for (auto row = range.begin(); row != range.end(); ++row)
                mask[row] = static_cast<std::uint8_t>(mask[row] & (limit.holds(value(row)) ? 1 : 0));
        });
    }
    return mask;
}

std::size_t keptCount(const RowMask& mask) {
    return std::accumulate(mask.begin(), mask.end(), std::size_t{0});
}

} // namespace heteroscape::engine
