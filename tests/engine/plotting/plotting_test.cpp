// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/label_placement.h"
#include "engine/plotting/series.h"
#include "engine/plotting/ticks.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/plotting/small_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace heteroscape::engine;

namespace {

/// Two axes of 2 x 3 points; throughput = 10 a + b, the last point infeasible.
StudyTable twoByThree() {
    return test::smallTable(
        {test::axisColumn("a", "A", {1, 1, 1, 2, 2, 2}), test::axisColumn("b", "B", {3, 1, 2, 3, 1, 2})},
        {1, 1, 1, 1, 1, 0}, {test::metricColumn("y", "Y", "s", {13, 11, 12, 23, 21, 22})});
}

} // namespace

TEST_CASE("linear ticks are round and inside the range") {
    CHECK(linearTicks({0.0, 10.0}, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
    CHECK(linearTicks({0.7, 7.3}, 7) == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
    CHECK(linearTicks({-1.0, 1.0}, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
    CHECK(linearTicks({3.0, 3.0}, 4).empty());
}

TEST_CASE("log ticks are powers, never zero") {
    CHECK(logTicks({0.5, 2000}, 10, 8) == std::vector<double>{1, 10, 100, 1000});
    CHECK(logTicks({1, 32}, 2, 8) == std::vector<double>{1, 2, 4, 8, 16, 32});
    CHECK(logTicks({1, 512}, 2, 5) == std::vector<double>{1, 4, 16, 64, 256});
    CHECK(logTicks({2, 60}, 10, 8) == std::vector<double>{2, 5, 10, 20, 50});
    CHECK(logTicks({50, 1700}, 10, 8) == std::vector<double>{50, 100, 200, 500, 1000});
    CHECK(logTicks({50, 1700}, 10, 4) == std::vector<double>{100, 1000}); // no room for five
    CHECK(logTicks({0, 60}, 10, 8).empty());
}

TEST_CASE("the base of a log axis follows its values") {
    CHECK(logBase({1, 2, 3, 4, 6, 8, 16, 32}) == 2);
    CHECK(logBase({1, 10, 100}) == 10);
    CHECK(logBase({0, 2, 4}) == 10);
}

TEST_CASE("tick text groups thousands and uses a true minus") {
    CHECK(tickText(0) == "0");
    CHECK(tickText(56) == "56");
    CHECK(tickText(-1250.5) == "\u22121,250.5");
    CHECK(tickText(1234567) == "1,234,567");
    CHECK(tickText(0.1 + 0.2) == "0.3");
}

TEST_CASE("fitting ranges") {
    const double gap = std::numeric_limits<double>::quiet_NaN();
    CHECK(fittingRange({5, 10, gap}, false, true).lower == 0);
    CHECK(fittingRange({100, 101}, false, true).lower > 90);
    CHECK(fittingRange({0, 1, 10}, true, false).lower > 0);
    CHECK(fittingRange({}, true, false).lower > 0);
    CHECK(fittingRange({3}, true, false).upper > fittingRange({3}, true, false).lower);
}

TEST_CASE("series: one curve per value, x rising, gaps where infeasible") {
    const auto series = studySeries(twoByThree(), {"b", "a", "y", {}});
    REQUIRE(series.size() == 2);
    CHECK(series[0].curveValue == 1);
    CHECK(series[0].x == std::vector<double>{1, 2, 3});
    CHECK(series[0].y == std::vector<double>{11, 12, 13});
    CHECK(series[0].rows == std::vector<std::size_t>{1, 2, 0});
    CHECK(std::isnan(series[1].y[1]));
}

TEST_CASE("series: axes held, no curve axis, unknown columns refused") {
    const auto held = studySeries(twoByThree(), {"b", "", "y", {{"a", 2}}});
    REQUIRE(held.size() == 1);
    CHECK(held[0].rows == std::vector<std::size_t>{4, 5, 3});
    CHECK(test::errorOf([] {
              studySeries(twoByThree(), {"b", "", "z", {}});
          }).find("\"z\"") != std::string::npos);
}

TEST_CASE("the nearest of several values, by ratio or by distance") {
    CHECK(nearestIndex({1, 10, 100}, 40, true) == 2);
    CHECK(nearestIndex({1, 10, 100}, 40, false) == 1);
    CHECK_FALSE(nearestIndex({}, 1, false));
}

TEST_CASE("labels never overlap each other or a mark") {
    std::vector<LabelRequest> crowd;
    for (int i = 0; i < 6; ++i)
        crowd.push_back({200.0 + i, 150.0, 8, 60, 14});
    const auto placed = placeLabels(crowd, {}, {{0, 150, 400, 150}}, {0, 0, 400, 300});
    for (std::size_t i = 0; i < placed.size(); ++i) {
        REQUIRE(placed[i]);
        for (const auto& mark : crowd)
            CHECK_FALSE(overlap(placed[i]->box, {mark.x - 8, mark.y - 8, 16, 16}));
        if (i < 2) // the first find room off the line; a crowd may not
            CHECK_FALSE(crosses({0, 150, 400, 150}, placed[i]->box));
        for (std::size_t k = 0; k < i; ++k)
            CHECK_FALSE(overlap(placed[i]->box, placed[k]->box));
    }
    for (std::size_t i = 0; i < placed.size(); ++i) // no leader runs through another label
        for (std::size_t k = 0; k < placed.size(); ++k) {
            const auto& box = placed[i]->box;
            const PlotSegment leader{crowd[i].x, crowd[i].y, std::clamp(crowd[i].x, box.left, box.right()),
                                     std::clamp(crowd[i].y, box.top, box.bottom())};
            if (i != k && placed[i]->leader && k < i)
                CHECK_FALSE(crosses(leader, placed[k]->box));
        }
    CHECK_FALSE(placeLabels({{5, 5, 2, 60, 14}}, {}, {}, {0, 0, 20, 10})[0]);
}

TEST_CASE("line names are spread apart, in order, inside the plot") {
    const auto middles = spreadLabels({100, 101, 20, 199}, 14, 0, 200);
    CHECK(middles[2] == doctest::Approx(20));
    CHECK(middles[1] - middles[0] == doctest::Approx(14));
    CHECK((middles[0] + middles[1]) / 2 == doctest::Approx(100.5));
    CHECK(middles[3] == doctest::Approx(193));
    const auto packed = spreadLabels({0, 0, 0}, 14, 0, 200);
    CHECK(packed == std::vector<double>{7, 21, 35});
}
