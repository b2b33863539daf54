// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/study/study.h"

#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Which value of a parameter meets limits: the least one ("how much memory bandwidth gives 50 tok/s"), or
/// the largest ("which batch keeps TPOT below 50 ms").
struct GoalSeek {
    std::string path;
    std::vector<Limit> limits; ///< on metrics of the system, in shown units; at least one
    bool largest = false;      ///< false: the least value
    double from = std::numeric_limits<double>::quiet_NaN(); ///< shown unit; NaN: the end of the range
    double to = std::numeric_limits<double>::quiet_NaN();
};

struct Sought {
    bool found = false;
    double value = kUnset; ///< shown unit; not found: where it comes nearest
    Evaluation evaluation; ///< there
    double next = kUnset;  ///< the neighbour that breaks a limit, one representable number on; NaN: the end
    /// What the neighbour, or where nothing is found the nearest value, breaks and by how much: "TPOT is
    /// 53 ms, over 50 ms (6 % too much)".
    std::string broken;
    std::size_t evaluations = 0;
};

/// Looks at up to 4,096 values over the range (all of them where a whole number has no more), evenly on a log
/// scale where the range is above 0, takes the first from the wanted end that meets the limits, and halves
/// between it and its neighbour until no number, or no whole number, lies between: the next one breaks a
/// limit. Where rounding lets the last digits hold and break in turn, the outermost of them that holds is
/// taken, until 4,096 numbers on end do not. Where limits are met in several stretches narrower than those
/// steps, one may be passed over. Throws Error (NotFound, InvalidInput, Cancelled).
Sought seekValue(const Scenario& scenario, const GoalSeek& seek, const std::stop_token& stop = {});

/// What an evaluation breaks of limits on metrics, in words, with the share; empty: nothing. `miss`: by how
/// much in all (missOf()).
std::string brokenLimits(const Evaluation& evaluation, const std::vector<Limit>& limits, double& miss);

} // namespace heteroscape::engine
