// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// A design behind a claim's number, with everything that the claim sets in it.
struct ClaimDesign {
    Scenario scenario;
    std::string preset;   ///< id of the preset that it starts from
    std::string settings; ///< what is set in it: "workload.batch 4, techniques.l2_prefetch.enabled false"
    std::string
        metric; ///< the metric or property that the claim takes from it: "tpot_s", "nodes.gpu.decode_ms"
    double value = 0.0; ///< of that metric, in its shown unit
};

/// At most so many designs are listed for one claim.
inline constexpr std::size_t kMostClaimDesigns = 24;

/// The designs whose metrics a claim's expression takes, in the order in which it names them, no two alike.
/// Where the expression looks for a smallest or largest, the one that it finds stands first; of means over
/// many designs, the first of them. A claim that takes no metric of a design has its preset, as it is. Throws
/// Error as compare() does.
std::vector<ClaimDesign> claimDesigns(const Catalog& catalog, const Claim& claim);

} // namespace heteroscape::engine
