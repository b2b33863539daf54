// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/named.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace heteroscape::engine {

namespace {

/// Names of kinds and metrics in files and paths, as they were and as they are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kReplaced{
    {{"stages_on_nodes", "pipeline_over_nodes"}, {"kv_handover_ms", "kv_transfer_ms"}}};

} // namespace

std::string readId(JsonObject& object, std::string_view key) {
    auto id = object.text(key);
    checkId(id, object.place(key));
    return id;
}

void checkId(const std::string& id, const std::string& where) {
    const bool clean = !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    if (!clean)
        throwInvalid(where, "\"" + id.substr(0, 80) + "\" is not an id",
                     "Use 1 to 64 of the characters a-z, 0-9, - and _");
}

std::size_t indexOfName(std::string_view value, std::span<const std::string_view> names,
                        const std::string& where) {
    const auto it = std::find(names.begin(), names.end(), value);
    if (it == names.end())
        throwInvalid(where, "unknown value \"" + std::string(value.substr(0, 80)) + "\"",
                     "Allowed: " + joined(names));
    return static_cast<std::size_t>(it - names.begin());
}

std::size_t readName(JsonObject& object, std::string_view key, std::span<const std::string_view> names) {
    return indexOfName(object.text(key), names, object.place(key));
}

std::vector<std::string> readTexts(JsonObject& object, std::string_view key) {
    std::vector<std::string> texts;
    if (!object.has(key)) {
        object.allow({key});
        return texts;
    }
    for (const auto& item : object.array(key)) {
        if (!item.is_string())
            throwInvalid(object.place(key), "expected strings, found " + std::string(jsonTypeName(item)));
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

void writeText(Json& json, std::string_view key, const std::string& text) {
    if (!text.empty())
        json[std::string(key)] = text;
}

std::string_view currentName(std::string_view name) {
    for (const auto& [before, now] : kReplaced)
        if (before == name)
            return now;
    return name;
}

std::string_view formerName(std::string_view name) {
    for (const auto& [before, now] : kReplaced)
        if (now == name)
            return before;
    return {};
}

std::string currentPath(std::string_view path) {
    std::string text;
    for (std::size_t begin = 0; begin <= path.size();) {
        const auto end = std::min(path.find('.', begin), path.size());
        text.append(begin == 0 ? "" : ".").append(currentName(path.substr(begin, end - begin)));
        begin = end + 1;
    }
    return text;
}

std::string labelWithin(std::string_view label) {
    std::string text(label);
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string lowered(std::string_view text) {
    std::string lower(text);
    for (auto& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

std::string lettersOf(std::string_view text) {
    auto letters = lowered(text);
    std::erase_if(letters, [](unsigned char c) { return !std::isalnum(c); });
    return letters;
}

namespace {

constexpr std::size_t kLettersRead = 80, kNearestShown = 3;

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
    const auto letters = lettersOf(wanted.substr(0, kLettersRead));
    std::vector<std::pair<std::size_t, std::string>> near; ///< with how far off
    for (const auto& name : names) {
        const auto other = lettersOf(std::string_view(name).substr(0, kLettersRead));
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
