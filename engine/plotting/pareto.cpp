// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/pareto.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

namespace heteroscape::engine {

namespace {

struct Candidate {
    std::array<double, 3> cost{}; ///< less is better
    std::size_t index = 0;
};

/// What has been seen so far by its second and third cost, without what others beat: rising in the second,
/// falling in the third.
class Staircase {
public:
    /// Whether something seen is at least as good in both.
    bool beats(double second, double third) const {
        auto after = m_steps.upper_bound(second);
        return after != m_steps.begin() && std::prev(after)->second <= third;
    }
    void add(double second, double third) {
        auto [at, isNew] = m_steps.try_emplace(second, third);
        if (!isNew)
            at->second = std::min(at->second, third);
        for (auto next = std::next(at); next != m_steps.end() && next->second >= at->second;)
            next = m_steps.erase(next);
    }

private:
    std::map<double, double> m_steps;
};

} // namespace

std::vector<std::size_t> paretoFront(const std::vector<Objective>& objectives) {
    if (objectives.size() < 2 || objectives.size() > 3)
        return {};
    const auto count = objectives.front().values.size();
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < count; ++i) {
        Candidate one{{}, i};
        bool known = true;
        for (std::size_t k = 0; k < objectives.size(); ++k) {
            if (objectives[k].values.size() != count)
                return {};
            one.cost[k] = objectives[k].better < 0 ? objectives[k].values[i] : -objectives[k].values[i];
            known = known && !std::isnan(one.cost[k]);
        }
        if (known)
            candidates.push_back(one);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.index < b.index;
    });
    // By rising first cost: only what came before can beat a point, and then it does in the other two.
    std::vector<std::size_t> front;
    Staircase seen;
    for (const auto& one : candidates)
        if (!seen.beats(one.cost[1], one.cost[2])) {
            seen.add(one.cost[1], one.cost[2]);
            front.push_back(one.index);
        }
    return front;
}

} // namespace heteroscape::engine
