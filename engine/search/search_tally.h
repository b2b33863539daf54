// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/search/search_problem.h"

#include <limits>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// A point that was kept: where it is, and what it has of each goal in the shown unit (NaN beyond the last).
struct SearchEntry {
    std::uint64_t ordinal = 0;
    std::array<double, kMaxGoals> values{};
};

/// The points that no other point offered beats, that is, is at least as good in all goals and better in one;
/// of points equal in all the first by its ordinal. What is left does not depend on the order of offers, so
/// archives of parts can be put together. One to three goals.
class ParetoArchive {
public:
    explicit ParetoArchive(const std::vector<SearchGoal>& goals);

    void offer(const SearchEntry& entry);
    /// By the first goal, best first, then the second, the third.
    std::vector<SearchEntry> entries() const;
    std::size_t size() const { return m_entries.size(); }

private:
    std::vector<int> m_better;
    std::vector<SearchEntry> m_entries; ///< two goals: by the first, best first
    std::size_t m_last = 0;             ///< three goals: what turned away the last offer

    double key(const SearchEntry& entry, std::size_t goal) const {
        return m_better[goal] * entry.values[goal];
    }
    bool beats(const SearchEntry& a, const SearchEntry& b) const;
    void offerOne(const SearchEntry& entry);
    void offerTwo(const SearchEntry& entry);
    void offerMany(const SearchEntry& entry);
};

/// So many of the points offered, for a picture of all: those whose ordinals hash to the least. Which they
/// are depends neither on the order of offers nor on how these are split, so samples of parts can be put
/// together. A point that is offered twice is there twice.
class PointSample {
public:
    static constexpr std::size_t kMost = 512;

    void offer(const SearchEntry& entry);
    bool takes(std::uint64_t ordinal) const {
        return m_entries.size() < kMost || hash(ordinal) < m_entries.front().first;
    }
    std::vector<SearchEntry> entries() const; ///< by their ordinals

private:
    std::vector<std::pair<std::uint64_t, SearchEntry>> m_entries; ///< with their hashes, a heap

    /// The mixing of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): no two ordinals have the same.
    static std::uint64_t hash(std::uint64_t ordinal) {
        ordinal = (ordinal + 0x9e3779b97f4a7c15ULL);
        ordinal = (ordinal ^ (ordinal >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        ordinal = (ordinal ^ (ordinal >> 27U)) * 0x94d049bb133111ebULL;
        return ordinal ^ (ordinal >> 31U);
    }
};

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
