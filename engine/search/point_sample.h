// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/pareto_archive.h"

#include <utility>
#include <vector>

namespace heteroscape::engine {

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
