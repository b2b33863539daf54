// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/search/point_sample.h"

#include <limits>

namespace heteroscape::engine {

/// What a search looks at of one point.
struct SearchedPoint {
    std::uint64_t ordinal = 0;
    std::span<const std::size_t> positions; ///< on the walked axes
    bool runs = false;                      ///< it is valid and fits
    std::span<const double> goals;          ///< shown units; NaN: it has none
    std::span<const double> limited;        ///< the values that limits are about
};

/// What is kept of the points of a search: little, however many they are. Tallies of parts can be added in
/// any order and come to the same.
class SearchTally {
public:
    /// The best value of one goal, and where.
    struct Best {
        double value = std::numeric_limits<double>::quiet_NaN();
        std::uint64_t ordinal = 0;
    };
    /// The point that comes nearest to keeping a limit, or all limits.
    struct Near {
        double miss = std::numeric_limits<double>::infinity();
        double value = std::numeric_limits<double>::quiet_NaN(); ///< of one limit
        std::uint64_t ordinal = std::numeric_limits<std::uint64_t>::max();
    };

    SearchTally(const SearchProblem& problem, const SearchSpace& space);

    void offer(const SearchedPoint& point);
    void add(const SearchTally& other);

    std::uint64_t points() const { return m_points; }
    std::uint64_t running() const { return m_running; } ///< of them valid and fitting
    std::uint64_t kept() const { return m_kept; }       ///< of these within all limits
    std::vector<SearchEntry> front() const { return m_front.entries(); }
    std::size_t frontSize() const { return m_front.size(); }
    std::uint64_t broken(std::size_t limit) const {
        return m_broken[limit];
    } ///< running points outside of it
    const std::vector<SearchEntry>& best(std::size_t goal) const { return m_best[goal]; } ///< best first
    /// The best of a goal that each value of a walked axis can reach within the limits.
    std::span<const Best> reached(std::size_t goal, std::size_t axis) const { return m_reached[goal][axis]; }
    const Near& nearest(std::size_t limit) const { return m_nearest[limit]; } ///< to this limit alone
    const Near& nearestToAll() const { return m_nearestToAll; } ///< by the sum of what it misses
    /// Some of the points within all limits, and some that run outside of one, for a picture.
    std::vector<SearchEntry> sampleWithin() const { return m_within.entries(); }
    std::vector<SearchEntry> sampleOutside() const { return m_outside.entries(); }

    Json json() const;
    /// Adds what json() wrote of the same problem. Throws Error naming the place.
    void add(const Json& json, const std::string& where);

private:
    std::vector<SearchGoal> m_goals;
    std::vector<Limit> m_limits;
    std::size_t m_most;
    std::uint64_t m_points = 0;
    std::uint64_t m_running = 0;
    std::uint64_t m_kept = 0;
    ParetoArchive m_front;
    std::vector<std::vector<SearchEntry>> m_best;
    std::vector<std::vector<std::vector<Best>>> m_reached;
    std::vector<std::uint64_t> m_broken;
    std::vector<Near> m_nearest;
    Near m_nearestToAll;
    PointSample m_within;
    PointSample m_outside;

    void offerBest(std::size_t goal, const SearchEntry& entry);
    void offerReached(Best& best, std::size_t goal, const Best& other) const;
    static void offerNear(Near& near, const Near& other);
};

} // namespace heteroscape::engine
