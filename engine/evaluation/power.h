// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <span>

namespace heteroscape::engine {

/// Shares of time of each device of a node.
struct BusyShares {
    double prefill = 0.0;
    double decode = 0.0;
};

/// Mean power of all devices, W: prefill, decode and idle by their shares of time. NaN when a figure that it
/// needs is not set. `busy` is parallel to the nodes.
double meanPower(const Scenario& scenario, std::span<const BusyShares> busy);

} // namespace heteroscape::engine
