// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace heteroscape::engine::fuzz {

/// What is fed with any bytes at all. A target returns, whatever they are: an Error is an answer. It aborts
/// where what it read does not come back when it is written and read again.
struct Target {
    std::string_view name; ///< and folder of its corpus
    std::string_view about;
    void (*run)(std::string_view bytes);
};

std::span<const Target> targets();

/// Throws std::out_of_range for a name that is none.
const Target& target(std::string_view name);

} // namespace heteroscape::engine::fuzz
