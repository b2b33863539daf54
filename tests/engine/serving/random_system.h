// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/engine/serving/serving_fixtures.h"

#include <deque>
#include <string>

namespace heteroscape::engine::test {

/// A small system and a few requests for it. All times are multiples of 2^-24 s, so that sums are exact and
/// what happens in one instant does so to the last bit.
struct RandomSystem {
    std::deque<FakeTimes> times; ///< of the pools
    ServingSystem system;
    std::vector<TracedRequest> requests;

    std::string text() const; ///< for a message
};

/// The same seed gives the same system on every machine.
RandomSystem randomSystem(std::uint64_t seed);

} // namespace heteroscape::engine::test
