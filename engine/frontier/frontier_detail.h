// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/frontier/frontier.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/validation/serving_row.h"

#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A published measurement of a server like those of a frontier's system. Of the point: users, devices,
/// layout, speed of a user and time to first token as measured (means: no medians are published), and the
/// rate that N users get of those times in a closed loop, N O / (TTFT + (O - 1) TPOT) with O the mean output.
struct FrontierMeasured {
    std::string id;                    ///< of the row
    double prompt = 0.0, output = 0.0; ///< longest, tokens
    FrontierPoint point;
};

/// Rows of the shipped tables of this definition's model, of a system's GPU, servers and precisions, prefill
/// apart or not as there, with prompts and outputs at most a tenth longer or shorter and as many devices at
/// most. None that speculate, or that contradict themselves as their table marks it. In the order of systems,
/// then of the tables. Throws Error as reading does.
std::vector<FrontierMeasured> frontierMeasured(const FrontierDefinition& definition, const Catalog& catalog,
                                               const GpuServers& servers);

/// What is told of few points, as it takes some ms each: of the design that a point is opened as, in steady
/// state, what its tiles say. What waiting in queues makes of the errors is not in there.
struct FrontierDetail {
    ExpectedError rate;     ///< of tok/s, whatever they are held against
    ExpectedError speed;    ///< of a user's tok/s
    std::string bottleneck; ///< what limits the throughput: "HBM bandwidth"; empty: the design has no answer
    Truth truth = Truth::Modelled;
};

/// Of some answered points, in the order of `places`, by `threads`; what is left when `stop` is asked for is
/// empty.
std::vector<FrontierDetail> frontierDetails(std::span<const FrontierPoint> points,
                                            std::span<const std::size_t> places,
                                            const FrontierDefinition& definition, const Catalog& catalog,
                                            const GpuServers& servers, int threads,
                                            std::stop_token stop = {});

/// The kinds of truth of points that are looked at.
Truths truthsOf(const std::map<std::size_t, FrontierDetail>& details);

/// All points as CSV, one a line. `front`: which are on their system's front, parallel to the points.
/// `details`: of points, by their ordinals; those of others are left empty; where they rest on different
/// kinds of truth a last column says on which. `measured` stand below them, each with its id in the column
/// before.
std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front,
                        const std::map<std::size_t, FrontierDetail>& details = {},
                        std::span<const FrontierMeasured> measured = {});

} // namespace heteroscape::engine
