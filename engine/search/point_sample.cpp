// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/point_sample.h"

#include <algorithm>

namespace heteroscape::engine {

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
