// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"
#include "widgets/plots/chart.h"

#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// What of the front is marked in its chart: a letter beside a design.
struct FoundMark {
    std::uint64_t ordinal = 0;
    QString letter;
    bool chosen = false;
};

/// The front: the first goal over the second, limits as lines; what a point has of a third is read out. Of a
/// single goal the best that each value of the longest variable reaches. A point of the cloud is one of
/// search.front, in its order.
Chart frontChart(const std::shared_ptr<const FoundSearch>& search, const std::vector<FoundMark>& marks);

/// Designs on the front over points that were tried.
using FrontGrowth = std::vector<std::pair<std::uint64_t, std::size_t>>;
Chart growthChart(const FrontGrowth& growth);

} // namespace heteroscape::widgets
