// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/fair_share.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heteroscape::engine {

LinkShares::LinkShares(std::span<const Link> links) {
    constexpr double kRounding = 1e-9;
    for (const auto& link : links) {
        const double wanted = std::accumulate(link.steps.begin(), link.steps.end(), 0.0);
        const double most = link.capacity * (1.0 - link.transferredPart);
        const bool tooMuch = wanted > most * (1.0 + kRounding);
        stretch.resize(std::max(stretch.size(), link.steps.size()), 1.0);
        for (std::size_t p = 0; p < link.steps.size(); ++p)
            if (tooMuch && link.steps[p] > 0.0)
                stretch[p] = std::max(stretch[p], wanted / most);
        forCaches.push_back(link.capacity - std::min(wanted, most));
    }
}

void shareFairly(std::span<Activity> activities, std::span<double> left) {
    thread_local std::vector<double> demand; // kept for its storage
    demand.resize(left.size());
    const auto grows = [](const Activity& activity) {
        return activity.weight > 0.0 && activity.stopped == Activity::kNone;
    };
    for (;;) {
        std::fill(demand.begin(), demand.end(), 0.0);
        for (const auto& activity : activities)
            if (grows(activity))
                for (const auto& use : activity.uses)
                    demand[use.resource] += activity.weight * use.amount;
        std::size_t first = Activity::kNone; // the resource that is used up first
        double growth = std::numeric_limits<double>::infinity();
        for (std::size_t r = 0; r < left.size(); ++r)
            if (demand[r] > 0.0 && left[r] / demand[r] < growth) {
                growth = left[r] / demand[r];
                first = r;
            }
        if (first == Activity::kNone)
            return;
        for (std::size_t r = 0; r < left.size(); ++r)
            left[r] = r == first ? 0.0 : std::max(0.0, left[r] - growth * demand[r]);
        for (auto& activity : activities) {
            if (!grows(activity))
                continue;
            activity.rate += growth * activity.weight;
            if (std::any_of(activity.uses.begin(), activity.uses.end(), [&](const ResourceUse& use) {
                    return use.resource == first && use.amount > 0.0;
                }))
                activity.stopped = first;
        }
    }
}

} // namespace heteroscape::engine
