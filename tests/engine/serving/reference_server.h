// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/split_rules.h"

namespace heteroscape::engine {

/// The same rules once more, slowly: every step for itself, every sum made anew, every list searched. Written
/// from silicon serving, sections 3 and 6, and the comments of ServerRules, not from its code.
std::vector<ServedRequest> referenceServer(const ServerTraffic& traffic, const ServerSettings& settings,
                                           ServiceTimes& times);
/// Of prefill workers that are alike and have a link each, which their transfers share if `sharedLinks`.
struct ReferencePrefill {
    ServingPool pool;
    std::vector<double> latency; ///< s, to each decode pool
    std::vector<double> token;   ///< s for each token alone on the link
    bool sharedLinks = false;
};
std::vector<ServedRequest> referenceDisaggregated(const ServerTraffic& traffic,
                                                  const ReferencePrefill& prefill,
                                                  std::span<const ServingPool> decode);

} // namespace heteroscape::engine
