// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier.h"
#include "engine/validation/serving_row.h"

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

} // namespace heteroscape::engine
