// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace heteroscape::engine {

enum class Phase { Prefill, Decode };
inline constexpr std::size_t kPhaseCount = 2;

inline constexpr std::string_view phaseName(Phase phase) {
    return phase == Phase::Prefill ? "prefill" : "decode";
}

} // namespace heteroscape::engine
