// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/nearest.h"

#include "engine/catalog/named.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kLettersRead = 80, kNearestShown = 3;

std::string lettersOf(std::string_view text) {
    std::string letters;
    for (const char c : text.substr(0, kLettersRead))
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

/// Letters to change, add or take away (Levenshtein).
std::size_t changesBetween(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto before = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j)
            before =
                std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, before + (a[i] != b[j])}));
    }
    return row.back();
}

} // namespace

std::string allowedText(std::span<const std::string> names, std::string_view wanted) {
    const auto letters = lettersOf(wanted);
    std::vector<std::pair<std::size_t, std::string>> near; ///< with how far off
    for (const auto& name : names) {
        const auto other = lettersOf(name);
        const auto changes = changesBetween(letters, other);
        const bool holds = std::min(letters.size(), other.size()) > 2 &&
                           (other.find(letters) != other.npos || letters.find(other) != letters.npos);
        if (!letters.empty() && (holds || 3 * changes <= letters.size()))
            near.emplace_back(changes, name);
    }
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), kNearestShown));
    if (!near.empty() && near.front().first == 0) // it is that one but for marks
        near.resize(1);
    std::vector<std::string> nearest;
    for (auto& one : near)
        nearest.push_back(std::move(one.second));
    return (nearest.empty() ? "" : "Nearest: " + joined(nearest) + ". ") + "Allowed: " + joined(names);
}

} // namespace heteroscape::engine
