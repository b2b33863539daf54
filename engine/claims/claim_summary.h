// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The errors within which claims are counted, ascending.
inline constexpr std::array<double, 3> kSummaryWithin{0.01, 0.05, 0.10};

/// Of the claims of one kind: how many there are, how many hold within 1, 5 and 10 %.
struct KindSummary {
    ClaimKind kind = ClaimKind::Count;
    std::size_t claims = 0;
    std::array<std::size_t, kSummaryWithin.size()>
        within{}; ///< parallel to kSummaryWithin; by unrounded errors
    bool operator==(const KindSummary&) const = default;
};

/// One entry for each kind that any of the results has, in the order of the enum. A claim without a number
/// holds within nothing.
std::vector<KindSummary> summarise(std::span<const ClaimResult> results);
/// The same over several papers.
std::vector<KindSummary> summarise(std::span<const PaperComparison> comparisons);

/// "Count: 18 of 18 within 1 %. Predicted: 31 of 63 within 1 %, 44 within 5 %, 52 within 10 %." Steps at
/// which nothing is added are left out.
std::string summaryText(std::span<const KindSummary> summary);

} // namespace heteroscape::engine
