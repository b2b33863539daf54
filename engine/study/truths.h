// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/runtime_choice.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {

/// The kind of truth of a study's points, looked up once for each combination of what it hangs on: choices,
/// and shares of rooflines. One a thread.
class PointTruths {
public:
    explicit PointTruths(const Study& study);
    Truth at(std::size_t ordinal);
    Truths all(); ///< of all points

private:
    PointSetter m_setter;
    std::vector<Axis> m_axes; ///< without their edits
    std::vector<char> m_decides;
    bool m_isList;
    std::unordered_map<std::uint64_t, Truth> m_known;
};

/// The column of what points rest on, and limits on it: by the order of Truth, which is its place among
/// truthNames().
inline constexpr std::string_view kTruthColumn = "truth";

/// The kinds of truth of a study's points. Where they differ, a last column of a table of some of them says
/// each one's. `orIdeal`: also where all are ideal.
Truths addTruths(StudyTable& table, const Study& study, bool orIdeal = false);

/// What is timed by measured kernels: "measured", as a limit is written.
Limit measuredLimit();
/// What leaves ideal designs out: what is measured where there is such, else all others.
Limit likeForLike(const Truths& truths);

} // namespace heteroscape::engine
