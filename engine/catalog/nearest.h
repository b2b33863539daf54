// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// What a refusal of a name says: "Nearest: rtx-4090. Allowed: a10, ...". Nearest are at most three that hold
/// it or that it holds, or that differ in a letter of three, whatever the case and the marks between letters.
std::string allowedText(std::span<const std::string> names, std::string_view wanted);

} // namespace heteroscape::engine
