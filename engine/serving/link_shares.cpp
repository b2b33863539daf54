// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/link_shares.h"

#include <algorithm>
#include <numeric>

namespace heteroscape::engine {

LinkShares::LinkShares(std::span<const Link> links) {
    constexpr double kRounding = 1e-9;
    for (const auto& link : links) {
        const double wanted = std::accumulate(link.steps.begin(), link.steps.end(), 0.0);
        const double most = link.capacity * (1.0 - link.handedOverPart);
        const bool tooMuch = wanted > most * (1.0 + kRounding);
        stretch.resize(std::max(stretch.size(), link.steps.size()), 1.0);
        for (std::size_t p = 0; p < link.steps.size(); ++p)
            if (tooMuch && link.steps[p] > 0.0)
                stretch[p] = std::max(stretch[p], wanted / most);
        forCaches.push_back(link.capacity - std::min(wanted, most));
    }
}

} // namespace heteroscape::engine
