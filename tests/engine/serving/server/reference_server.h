// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/server.h"

namespace heteroscape::engine {

/// The same rules once more, slowly: every step for itself, every sum made anew, every list searched. Written
/// from silicon serving, sections 3 and 6, and the comments of ServerSimulator, not from its code.
std::vector<ServedAnswer> referenceServer(const ServerTraffic& traffic, const ServerSettings& settings,
                                          const StepModel& model);
/// Prefill workers that are alike and have a link each, which their transfers share if `sharedLinks`.
struct ReferencePrefill {
    ServerSettings settings;
    const StepModel* model = nullptr;
    double workers = 1.0;
    std::vector<double> latency; ///< s, to each decode group
    std::vector<double> token;   ///< s for each token alone on the link
    bool sharedLinks = false;
};
std::vector<ServedAnswer> referenceDisaggregated(const ServerTraffic& traffic,
                                                 const ReferencePrefill& prefill,
                                                 std::span<const DecodeGroup> decode);

} // namespace heteroscape::engine
