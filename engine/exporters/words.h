// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace heteroscape::engine {

/// What the program explains: a metric, a property, a choice, a kind, what a kind is told; a word of its own
/// (resources/help/glossary.json); a page of the guide.
struct Word {
    std::string label;             ///< "Memory capacity"; no two alike: "Weights (runtime)" is the second
    std::vector<std::string> keys; ///< in files, the last step last: "device.memory_gb", "memory_gb"
    std::string unit;              ///< as shown: "GB"; may be empty
    std::string about;             ///< one to three sentences
    std::string allowed{};         ///< "From 0 to 1, whole."; may be empty
    std::string equation{};        ///< "ratio = value / value of the reference"; may be empty
    std::string source{};          ///< may be empty
    std::string page{};            ///< "metrics.md"
    std::string group{};           ///< heading that it stands under there; its own label: it is that heading
    std::string link{};            ///< "metrics.md#time-per-token"; of a page "find.md"
};

/// Those of the engine's tables, metrics first. What kinds share (the number of requests) is one word with a
/// key for each.
std::vector<Word> words();

} // namespace heteroscape::engine
