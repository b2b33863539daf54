// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/frontier/frontier.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// What is asked of a frontier beside its definition.
struct FrontierWishes {
    std::string per, against, load;                ///< by their names; empty: the definition's
    double ttft = -1.0, tpot = -1.0, price = -1.0; ///< s, ms, $; 0: no limit; below 0: the definition's
    std::vector<double> users;                     ///< empty: the definition's
};
/// Throws Error for a name that is none, and for users out of range.
void putWishes(engine::FrontierDefinition& definition, const FrontierWishes& wishes);

/// A design as one more system, by its own name where none is given. Throws Error where it has no name, or
/// another system has it; `text` is what was given.
void addSystem(engine::FrontierDefinition& definition, std::string name, engine::Scenario design,
               const std::string& text);

/// What is computed, and what of it is on a front.
struct ComputedFrontier {
    engine::FrontierDefinition definition;
    std::vector<engine::FrontierPoint> points;
    std::vector<std::vector<std::size_t>> fronts;          ///< of each system
    std::vector<bool> front;                               ///< parallel to the points
    std::map<std::size_t, engine::FrontierDetail> details; ///< of those on fronts
    std::vector<engine::FrontierMeasured> measured;        ///< where it was asked for
};
/// By `jobs` threads (0: one for each core). Asked to stop, the answer means nothing.
ComputedFrontier computeFrontier(engine::FrontierDefinition definition, const engine::Catalog& catalog,
                                 int jobs, bool measured, const std::stop_token& stop = {});

/// Units of what points reach, by their names in the document; of those that have one.
std::map<std::string, std::string> frontierUnits();
/// The points on fronts and those without an answer, or `all`; `measured`: with the measurements.
engine::Json frontierJson(const ComputedFrontier& computed, bool all, bool measured);

} // namespace heteroscape::cli
