// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/step_cost.h"

#include "tests/engine/fixtures.h"

#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("the closed sum over a decode equals adding token by token") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> constant(0.0, 2.0);
    std::uniform_real_distribution<double> slope(0.0, 0.01);
    for (int trial = 0; trial < 500; ++trial) {
        StepCost cost;
        const int lines = 1 + static_cast<int>(random() % StepCost::kMaxLines);
        for (int i = 0; i < lines; ++i)
            cost.add(Bound::Memory, {constant(random), random() % 4 == 0 ? 0.0 : slope(random)});
        const double prompt = static_cast<double>(random() % 2000);
        const double tokens = 1.0 + static_cast<double>(random() % 500);
        double sum = 0.0;
        for (double i = 1; i <= tokens; ++i)
            sum += cost.at(prompt + i);
        CHECK(off(cost.sumOverDecode(prompt, tokens), sum) < 1e-11);
    }
}

TEST_CASE("the bound is the largest line at that context") {
    StepCost cost;
    cost.add(Bound::LaunchFloor, {1.0, 0.0});
    cost.add(Bound::Memory, {0.0, 0.001});
    CHECK(cost.boundAt(999) == Bound::LaunchFloor);
    CHECK(cost.boundAt(1001) == Bound::Memory);
    CHECK(cost.at(2000) == doctest::Approx(2.0));
}
