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
    std::vector<std::pair<int, std::string>> lines; ///< what is done, with numbers of lines
    std::size_t variations = 1;                     ///< values in its lists
};

/// Reads a file that errors call `name`; throws Error "<name>:12: what is wrong. Remedy".
std::vector<TextCase> readCases(std::string_view text, const std::string& name);

/// What a line came to: whether it holds, and what was there.
using CaseReport =
    std::function<void(int number, const std::string& line, bool holds, const std::string& got)>;

/// Goes through a case once for each variation and reports every "expect", and any other line that cannot be
/// done, with which a variation ends.
void runCase(const TextCase& one, const CaseReport& report);

} // namespace heteroscape::engine::test
