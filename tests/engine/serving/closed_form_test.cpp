// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/closed_form.h"

#include "tests/engine/fixtures.h"

#include <array>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("whole-request pools add up") {
    const std::array<SteadyPool, 2> pools{{{Role::Both, 8, 1.0, 3.0}, {Role::Both, 2, 2.0, 2.0}}};
    std::array<PoolLoad, 2> loads;
    const auto state = closedForm(pools, false, loads);
    CHECK(state.rate == doctest::Approx(8 / 4.0 + 2 / 4.0));
    CHECK(loads[0].prefillBusy == doctest::Approx(0.25));
    CHECK(loads[0].decodeBusy == doctest::Approx(0.75));
}

TEST_CASE("split pools run at the slower side; assist uses what is left") {
    const std::array<SteadyPool, 2> pools{{{Role::Prefill, 1, 0.1, 5.0}, {Role::Decode, 7, 9.0, 10.0}}};
    std::array<PoolLoad, 2> loads;
    const auto never = closedForm(pools, false, loads);
    CHECK(never.rate == doctest::Approx(0.7));
    CHECK_FALSE(never.prefillLimits);
    CHECK(loads[0].prefillBusy == doctest::Approx(0.07));
    CHECK(loads[1].decodeBusy == doctest::Approx(1.0));
    const auto assist = closedForm(pools, true, loads);
    CHECK(assist.rate == doctest::Approx(0.7 + (1 - 0.07) / 5.1));
    CHECK(loads[0].prefillBusy + loads[0].decodeBusy == doctest::Approx(1.0));
}

TEST_CASE("a slow prefill side limits and leaves decode idle") {
    const std::array<SteadyPool, 3> pools{
        {{Role::Prefill, 2, 1.0, 5.0}, {Role::Decode, 10, 9.0, 2.0}, {Role::Fabric, 1, 0, 0}}};
    std::array<PoolLoad, 3> loads;
    const auto state = closedForm(pools, true, loads);
    CHECK(state.prefillLimits);
    CHECK(state.rate == doctest::Approx(2.0));
    CHECK(loads[1].decodeBusy == doctest::Approx(0.4));
    CHECK(loads[2].prefillBusy == 0.0);
}

TEST_CASE("a KV cache on its way takes the place of a decode, and is no work") {
    std::array<SteadyPool, 2> pools{{{Role::Prefill, 4, 0.1, 5.0}, {Role::Decode, 7, 9.0, 10.0}}};
    pools[1].receiveSeconds = 4.0;
    std::array<PoolLoad, 2> loads;
    const auto state = closedForm(pools, false, loads);
    CHECK(state.rate == doctest::Approx(7 / 14.0));
    CHECK(loads[1].decodeRate == doctest::Approx(7 / 14.0));
    CHECK(loads[1].decodeBusy == doctest::Approx(10.0 / 14.0));
    pools[0].prefillSeconds = 40.0; // there it is received meanwhile
    const auto prefills = closedForm(pools, false, loads);
    CHECK(prefills.prefillLimits);
    CHECK(prefills.rate == doctest::Approx(0.1));
    CHECK(loads[1].decodeBusy == doctest::Approx(1.0 / 7));
}
