// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/expected_error.h"
#include "engine/frontier/frontier.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What is told of few points, as it takes some ms each: of the design that a point is opened as, in steady
/// state, what its tiles say. What waiting in queues makes of the errors is not in there.
struct FrontierDetail {
    ExpectedError rate;     ///< of tok/s, whatever they are held against
    ExpectedError speed;    ///< of a user's tok/s
    std::string bottleneck; ///< what limits the throughput: "HBM bandwidth"; empty: the design has no answer
    bool ideal = false;     ///< it runs without any loss (runsIdeal()): its rates are upper bounds
};

/// Of some answered points, in the order of `places`, by `threads`; what is left when `stop` is asked for is
/// empty.
std::vector<FrontierDetail> frontierDetails(std::span<const FrontierPoint> points,
                                            std::span<const std::size_t> places,
                                            const FrontierDefinition& definition, const Catalog& catalog,
                                            const GpuServers& servers, int threads,
                                            std::stop_token stop = {});

} // namespace heteroscape::engine
