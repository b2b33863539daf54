// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/study/study.h"

#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How far a whole number of a design can be raised.
struct LargestWithin {
    double value = 0.0;    ///< in the shown unit
    Evaluation evaluation; ///< with it: of the steady state, and simulated metrics where limits are on them
    std::string
        stop; ///< what the next one breaks: "tpot_s is 0.0503, over 0.05"; empty at the end of the range
};

/// The largest value of a whole-numbered parameter ("workload.batch") with which a design runs and keeps
/// limits on metrics. Where a limit is on a simulated metric the design is simulated ("serving.users"), and
/// the parameter need not be whole ("serving.rate_req_s": found to a thousandth). The limits are taken to
/// hold up to some value and to be broken from there on, as they are for a batch: it is doubled until one
/// breaks, then halved in between. Throws Error (NotFound) for a path or metric that is none, (InvalidInput)
/// for a parameter that is not whole, for an invalid design, and where already the smallest value breaks a
/// limit: it says which, and by how much; (Cancelled).
LargestWithin largestWithin(Scenario scenario, const std::string& path, const std::vector<Limit>& limits,
                            const std::stop_token& stop = {});

} // namespace heteroscape::engine
