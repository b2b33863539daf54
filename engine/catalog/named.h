// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Reads an id: 1 to 64 of a-z, 0-9, '-' and '_'; no dots, because parameter paths are split at them.
std::string readId(JsonObject& object, std::string_view key);

/// The same rule for an id that comes from elsewhere; throws Error naming `where`.
void checkId(const std::string& id, const std::string& where);

/// The index of `value` in a closed list of names; throws Error listing them.
std::size_t indexOfName(std::string_view value, std::span<const std::string_view> names,
                        const std::string& where);

/// Reads one of a closed list of names and gives its index.
std::size_t readName(JsonObject& object, std::string_view key, std::span<const std::string_view> names);

/// Reads an optional array of strings.
std::vector<std::string> readTexts(JsonObject& object, std::string_view key);

/// Writes a text unless it is empty.
void writeText(Json& json, std::string_view key, const std::string& text);

/// What is called so today: the name itself, or what has taken the place of an old one ("stages_on_nodes").
/// Files and paths with old names are read.
std::string_view currentName(std::string_view name);
/// The old name of what is called so; empty: it had none.
std::string_view formerName(std::string_view name);
/// A path with today's names: "techniques.pipeline_over_nodes.enabled".
std::string currentPath(std::string_view path);

/// A label within a sentence: its first letter small, but for "L2 prefetch" or "X-cache".
std::string labelWithin(std::string_view label);

/// A text in small letters (ASCII), and of it letters and digits alone: "Qwen3-8B" is "qwen3-8b" and
/// "qwen38b".
std::string lowered(std::string_view text);
std::string lettersOf(std::string_view text);

/// "a, b, c"
template <class Range>
std::string joined(const Range& names) {
    std::string text;
    for (const auto& name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

/// What a refusal of a name says: "Nearest: rtx-4090. Allowed: a10, ...". Nearest are at most three that hold
/// it or that it holds, or that differ in a letter of three, whatever the case and the marks between letters.
std::string allowedText(std::span<const std::string> names, std::string_view wanted);

} // namespace heteroscape::engine
