// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_tally.h"

#include "engine/base/error.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostOnFront = 1'000'000;

} // namespace

ParetoArchive::ParetoArchive(const std::vector<SearchGoal>& goals) {
    for (const auto& goal : goals)
        m_better.push_back(goal.better);
}

/// Whether `b` has to go where there is `a`; never both ways.
bool ParetoArchive::beats(const SearchEntry& a, const SearchEntry& b) const {
    bool better = false;
    for (std::size_t g = 0; g < m_better.size(); ++g) {
        const double x = key(a, g), y = key(b, g);
        if (x < y)
            return false;
        better |= x > y;
    }
    return better || a.ordinal < b.ordinal;
}

void ParetoArchive::offer(const SearchEntry& entry) {
    if (m_better.size() == 1)
        offerOne(entry);
    else if (m_better.size() == 2)
        offerTwo(entry);
    else
        offerMany(entry);
    if (m_entries.size() > kMostOnFront)
        throwInvalid("front", "has more than 1,000,000 designs that none beats",
                     "Search for fewer objectives, give limits, or use larger steps");
}

void ParetoArchive::offerOne(const SearchEntry& entry) {
    if (m_entries.empty())
        m_entries.push_back(entry);
    else if (beats(entry, m_entries.front()))
        m_entries.front() = entry;
}

/// Along the front the first goal gets worse and the second better.
void ParetoArchive::offerTwo(const SearchEntry& entry) {
    const double x = key(entry, 0), y = key(entry, 1);
    auto first = std::partition_point(m_entries.begin(), m_entries.end(),
                                      [&](const SearchEntry& other) { return key(other, 0) >= x; });
    if (first != m_entries.begin()) { // the best in the second goal of those at least as good in the first
        const auto before = std::prev(first);
        if (key(*before, 1) >= y && !beats(entry, *before))
            return;
        if (beats(entry, *before))
            first = before;
    }
    auto last = first;
    while (last != m_entries.end() && key(*last, 1) <= y)
        ++last;
    if (first == last) {
        m_entries.insert(first, entry);
        return;
    }
    *first = entry;
    m_entries.erase(std::next(first), last);
}

void ParetoArchive::offerMany(const SearchEntry& entry) {
    if (m_last < m_entries.size() && beats(m_entries[m_last], entry))
        return;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (beats(m_entries[i], entry)) {
            m_last = i;
            return;
        }
    std::erase_if(m_entries, [&](const SearchEntry& other) { return beats(entry, other); });
    m_entries.push_back(entry);
}

std::vector<SearchEntry> ParetoArchive::entries() const {
    auto sorted = m_entries;
    std::sort(sorted.begin(), sorted.end(), [&](const SearchEntry& a, const SearchEntry& b) {
        for (std::size_t g = 0; g < m_better.size(); ++g)
            if (key(a, g) != key(b, g))
                return key(a, g) > key(b, g);
        return a.ordinal < b.ordinal;
    });
    return sorted;
}

void PointSample::offer(const SearchEntry& entry) {
    if (!takes(entry.ordinal))
        return;
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    m_entries.emplace_back(hash(entry.ordinal), entry);
    std::push_heap(m_entries.begin(), m_entries.end(), before);
    if (m_entries.size() > kMost) {
        std::pop_heap(m_entries.begin(), m_entries.end(), before);
        m_entries.pop_back();
    }
}

std::vector<SearchEntry> PointSample::entries() const {
    std::vector<SearchEntry> entries;
    for (const auto& one : m_entries)
        entries.push_back(one.second);
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
    return entries;
}

} // namespace heteroscape::engine
