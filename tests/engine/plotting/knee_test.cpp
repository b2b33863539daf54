// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/crossover.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace heteroscape::engine;

namespace {

std::vector<double> upTo(int last) {
    std::vector<double> x;
    for (int i = 0; i <= last; ++i)
        x.push_back(i);
    return x;
}

template <class Y>
std::vector<double> over(const std::vector<double>& x, Y y) {
    std::vector<double> values;
    for (const double one : x)
        values.push_back(y(one));
    return values;
}

} // namespace

TEST_CASE("a latency that starts to rise has its knee where it does") {
    const auto x = upTo(10);
    const auto y = over(x, [](double at) { return std::max(0.0, at - 6.0); });
    // Scaled, the line from (0, 0) to (1, 1) is 0.6 above the point (0.6, 0): the farthest.
    CHECK(kneeIndex({x, y}, -1) == 6);
    CHECK_FALSE(kneeIndex({x, y}, +1));
}

TEST_CASE("a throughput that saturates has its knee where it stops rising") {
    const auto x = upTo(10);
    const auto y = over(x, [](double at) { return std::min(at, 3.0); });
    // (0.3, 1) is 0.7 above the line.
    CHECK(kneeIndex({x, y}, +1) == 3);
    CHECK_FALSE(kneeIndex({x, y}, -1));
}

TEST_CASE("a straight line has no knee, nor has a flat one or two points") {
    const auto x = upTo(10);
    CHECK_FALSE(kneeIndex({x, over(x, [](double at) { return 3.0 + 2.0 * at; })}, -1));
    CHECK_FALSE(kneeIndex({x, over(x, [](double) { return 3.0; })}, -1));
    CHECK_FALSE(kneeIndex({{0, 1}, {0, 5}}, -1));
    CHECK_FALSE(kneeIndex({{}, {}}, 1));
}

TEST_CASE("a bend below the least is none") {
    const std::vector<double> x{0, 1, 2};
    CHECK_FALSE(kneeIndex({x, {0, 0.85, 2}}, -1)); // 0.075 of the height below the line
    CHECK(kneeIndex({x, {0, 0.75, 2}}, -1) == 1);  // 0.125
    CHECK(kneeIndex({x, {0, 0.85, 2}}, -1, 0.05) == 1);
}

TEST_CASE("straightness is judged on the axes as drawn") {
    const auto x = upTo(8);
    const auto exponential = over(x, [](double at) { return std::pow(10.0, at); });
    CHECK(kneeIndex({x, exponential}, -1) == 7);
    CHECK_FALSE(kneeIndex({x, exponential, false, true}, -1));
}

TEST_CASE("points without a value are passed over") {
    const auto x = upTo(10);
    auto y = over(x, [](double at) { return std::max(0.0, at - 6.0); });
    y[3] = y[10] = std::nan("");
    CHECK(kneeIndex({x, y}, -1) == 6);
}

TEST_CASE("the knee of y = 5 - 1/(x + 0.1) over ten points") {
    std::vector<double> x;
    for (int i = 0; i < 10; ++i)
        x.push_back(i / 9.0);
    const auto y = over(x, [](double at) { return 5 - 1 / (at + 0.1); });
    // From -5 to 4.09: above the line by 1.1 - 0.11 / (x + 0.1) - x of its height, which is 0.468, 0.536 and
    // 0.513 at 1/9, 2/9 and 3/9; the curve itself is farthest where (x + 0.1)^2 = 0.11, at 0.232.
    CHECK(kneeIndex({x, y}, +1) == 2);
    CHECK_FALSE(kneeIndex({x, y}, -1));
    CHECK(kneeIndex({x, y}, +1, 0.53) == 2);
    CHECK_FALSE(kneeIndex({x, y}, +1, 0.54));
}

TEST_CASE("a log axis across moves the knee") {
    const std::vector<double> x{1, 10, 100, 1000}, y{0, 1, 1.6, 2};
    // Shares of y 0, 0.5, 0.8, 1. On log x, 0, 1/3, 2/3, 1: 0.167 and 0.133 above the line.
    CHECK(kneeIndex({x, y, true}, +1) == 1);
    // On plain x, 0, 0.009, 0.099, 1: 0.491 and 0.701.
    CHECK(kneeIndex({x, y, false}, +1) == 2);
}

TEST_CASE("a throughput that holds and then falls has its knee where it begins to fall") {
    // The line falls from 4 to 0 by 1 a step: 0, 0.25, 0.5, 0.25 and 0 of the height above it.
    const auto x = upTo(4);
    CHECK(kneeIndex({x, {4, 4, 4, 2, 0}}, +1) == 2);
    CHECK_FALSE(kneeIndex({x, {4, 4, 4, 2, 0}}, -1));
}
