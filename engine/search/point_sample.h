// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_problem.h"

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

} // namespace heteroscape::engine
