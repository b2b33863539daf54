// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/parameters.h"

#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Where nothing is stated, a quantity is moved by this share either way.
inline constexpr double kAssumedUncertainty = 0.10;

/// A quantity of a design and how far it may lie off. Values in the shown unit, within the quantity's range,
/// whole where it is whole (and then at least one step away).
struct UncertainInput {
    std::string path;
    std::string label; ///< "Alveo U280 memory efficiency, decode"
    std::string unit;
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;
    bool stated = false; ///< by the quantity's own uncertainty; else by the share asked for
    Provenance provenance = Provenance::User;
};

/// The design's calibrated constants, in the scenario's order.
std::vector<UncertainInput> calibratedInputs(const Scenario& scenario, double share = kAssumedUncertainty);

/// Every quantity that is set and not 0: what a tornado may be drawn over.
std::vector<UncertainInput> allInputs(const Scenario& scenario, double share = kAssumedUncertainty);

/// A metric at both ends of one input, all else as it is; NaN where the design cannot run.
struct Swing {
    UncertainInput input;
    double atLow = 0.0; ///< in the shown unit of the metric
    double atHigh = 0.0;
};

/// The swings of a metric (by key), the widest first, then by path; what has no value at an end comes last,
/// inputs that change nothing are left out. `base`: the metric as it is; without one there are no swings. Of
/// a metric of simulated requests each end is simulated. Throws Error (NotFound) for an unknown metric,
/// (Cancelled).
struct Tornado {
    double base = 0.0;
    std::vector<Swing> swings;
};
Tornado tornado(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                const std::string& metric, const std::stop_token& stop = {});

} // namespace heteroscape::engine
