// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/fair_share.h"

#include <algorithm>
#include <limits>

namespace heteroscape::engine {

void shareFairly(std::span<Activity> activities, std::span<double> left) {
    std::vector<double> demand(left.size());
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
