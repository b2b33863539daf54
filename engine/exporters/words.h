// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace heteroscape::engine {

/// A word that a table of the engine explains: a metric, a property, a choice, a kind, what a kind is told.
struct Word {
    std::string label;             ///< "Memory capacity"; no two alike: "Weights (runtime)" is the second
    std::vector<std::string> keys; ///< in files, the last step last: "device.memory_gb", "memory_gb"
    std::string unit;              ///< as shown: "GB"; may be empty
    std::string about;             ///< one to three sentences
};

/// All of them, metrics first. What kinds share (the number of requests) is one word with a key for each.
std::vector<Word> words();

} // namespace heteroscape::engine
