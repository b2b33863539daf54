// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace heteroscape::engine {

/// The program's version, from CMake.
extern const std::string_view kVersion;

/// Raised whenever an equation changes, so that stored points of older equations are not reused.
inline constexpr std::string_view kEquationsVersion = "equations-13";

} // namespace heteroscape::engine
