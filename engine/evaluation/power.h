// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/scenario/scenario.h"

#include <span>

namespace heteroscape::engine {

/// Shares of time of each device of a node. Numbers are double, or Term to explain.
template <class V>
struct BusySharesOf {
    V prefill{};
    V decode{};
};
using BusyShares = BusySharesOf<double>;

/// Mean power of all devices, W: prefill, decode and idle by their shares of time. NaN when a quantity that
/// it needs is not set. `busy` is parallel to the nodes.
double meanPower(const Scenario& scenario, std::span<const BusyShares> busy);
Term meanPower(const Scenario& scenario, std::span<const BusySharesOf<Term>> busy);

} // namespace heteroscape::engine
