// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/affine.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace heteroscape::engine {

enum class Phase { Prefill, Decode };
std::string_view phaseName(Phase phase); ///< "prefill", "decode"

/// What a time is spent on, or what keeps it from being shorter.
enum class Bound { None, Compute, Memory, LaunchFloor };

std::string_view boundName(Bound bound);  ///< "compute", "memory", "launch_floor"
std::string_view boundLabel(Bound bound); ///< "compute", "memory reads", "kernel launches"

/// The time of one step as the largest of a few affine functions of its context: seconds(keys) = max_i
/// line_i(keys). Every timing model answers with one, so sums over a whole decode need no loop over tokens.
class StepCost {
public:
    static constexpr std::size_t kMaxLines = 4;

    void add(Bound bound, Affine seconds);

    double at(double keys) const;     ///< s
    Bound boundAt(double keys) const; ///< the line that is the largest there; the first added wins a tie

    /// Sum over i = 1..tokens of at(prompt + i), exact, in time independent of `tokens`.
    double sumOverDecode(double prompt, double tokens) const;

private:
    struct Line {
        Bound bound = Bound::None;
        Affine seconds;
    };
    std::array<Line, kMaxLines> m_lines;
    std::size_t m_count = 0;

    std::size_t largestAt(double keys) const;
};

} // namespace heteroscape::engine
