// SPDX-License-Identifier: GPL-3.0-or-later
// Tests as text: designs, what is set in them, what is expected of them. tests/README.md has the form.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine::test {

struct TextCase {
    std::string title;
    int line = 0;                                   ///< of the title
    std::vector<std::pair<int, std::string>> lines; ///< those below it, with their numbers
    std::size_t variations = 1;                     ///< values in its lists
};

/// What a line of a case came to.
struct CaseOutcome {
    int line = 0;
    std::string text; ///< the line
    bool holds = false;
    std::string got; ///< what was there in its place
};

/// Reads a file. Throws Error "f:12: what is wrong. Remedy", where it is called "f".
std::vector<TextCase> readCases(std::string_view text, const std::string& name);

/// Goes through a case, once for each variation, and reports every "expect" and "refuse", and any other line
/// that cannot be done, with which a variation ends.
void runCase(const TextCase& one, const std::function<void(const CaseOutcome&)>& report);

} // namespace heteroscape::engine::test
