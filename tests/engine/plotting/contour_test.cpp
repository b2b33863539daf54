// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/heat.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <utility>
#include <vector>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The two ends of each line, the end further down (then further left) first, the lines in the order of it.
using Stretches = std::vector<std::pair<ContourPoint, ContourPoint>>;
Stretches stretchesOf(const std::vector<ContourLine>& lines) {
    const auto before = [](const ContourPoint& a, const ContourPoint& b) {
        return a.y != b.y ? a.y < b.y : a.x < b.x;
    };
    Stretches stretches;
    for (const auto& line : lines) {
        REQUIRE(line.points.size() == 2);
        const auto& a = line.points[0];
        const auto& b = line.points[1];
        stretches.push_back(before(a, b) ? std::pair(a, b) : std::pair(b, a));
    }
    std::sort(stretches.begin(), stretches.end(),
              [&](const auto& a, const auto& b) { return before(a.first, b.first); });
    return stretches;
}

void checkStretches(const std::vector<ContourLine>& lines, const Stretches& expected) {
    const auto found = stretchesOf(lines);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(found[i].first.x == doctest::Approx(expected[i].first.x));
        CHECK(found[i].first.y == doctest::Approx(expected[i].first.y));
        CHECK(found[i].second.x == doctest::Approx(expected[i].second.x));
        CHECK(found[i].second.y == doctest::Approx(expected[i].second.y));
    }
}

} // namespace

TEST_CASE("contours of a plane, by hand") {
    // Values 0 1 2 in every row: the level 0.5 is a straight line upwards at x = 0.5.
    const std::vector<std::vector<double>> plane{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}};
    const auto lines = contourLines(plane, {0.5, 1.25});
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].level == 0.5);
    CHECK(lines[0].points == std::vector<ContourPoint>{{0.5, 0}, {0.5, 1}, {0.5, 2}});
    CHECK(lines[1].points == std::vector<ContourPoint>{{1.25, 0}, {1.25, 1}, {1.25, 2}});
}

TEST_CASE("contours close round a peak and end at a gap") {
    const auto peak = contourLines({{0, 0, 0}, {0, 4, 0}, {0, 0, 0}}, {2});
    REQUIRE(peak.size() == 1);
    REQUIRE(peak[0].points.size() == 5);
    CHECK(peak[0].points.front() == peak[0].points.back());
    for (const auto& point : peak[0].points)
        CHECK(std::fabs(point.x - 1) + std::fabs(point.y - 1) == doctest::Approx(0.5));
    const auto gap = contourLines({{0, 2, 0}, {0, 2, kNone}}, {1});
    REQUIRE(gap.size() == 1); // the square beside the gap has none
    CHECK(gap[0].points == std::vector<ContourPoint>{{0.5, 0}, {0.5, 1}});
    CHECK(contourLines({{1, 100}, {1, 100}}, {10}, true)[0].points[0].x == doctest::Approx(0.5));
    CHECK(contourLevels({0, 10}, false, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("a saddle is parted by its middle, by hand") {
    // 1 stands at (0, 0) and (1, 1), 0 at the two others; the middle is 0.5.
    const std::vector<std::vector<double>> saddle{{1, 0}, {0, 1}};
    // At 0.4 the middle lies above: each line goes round one of the zeros.
    checkStretches(contourLines(saddle, {0.4}), {{{0.6, 0}, {1, 0.4}}, {{0, 0.6}, {0.4, 1}}});
    // At 0.6 it lies below: each goes round one of the ones.
    checkStretches(contourLines(saddle, {0.6}), {{{0.4, 0}, {0, 0.4}}, {{1, 0.6}, {0.6, 1}}});
    checkStretches(contourLines({{0, 1}, {1, 0}}, {0.4}), {{{0.4, 0}, {0, 0.4}}, {{1, 0.6}, {0.6, 1}}});
}

TEST_CASE("a level that grid values have: they count as above it") {
    const std::vector<std::vector<double>> plane{{0, 1, 2}, {0, 1, 2}};
    checkStretches(contourLines(plane, {1}), {{{1, 0}, {1, 1}}});
    checkStretches(contourLines(plane, {2}), {{{2, 0}, {2, 1}}});
    CHECK(contourLines(plane, {0}).empty()); // nothing lies below
    CHECK(contourLines(plane, {2.5}).empty());
    CHECK(contourLines(plane, {-1}).empty());
}

TEST_CASE("levels of a log scale are round, and interpolated by logarithms") {
    CHECK(contourLevels({1, 1000}, true) == std::vector<double>{1, 10, 100, 1000});
    CHECK(contourLevels({2, 60}, true) == std::vector<double>{2, 5, 10, 20, 50});
    CHECK(contourLevels({0.5, 20000}, true, 3) == std::vector<double>{1, 100, 10000});
    CHECK(contourLevels({0, 10}, true).empty());
    // 10 is half of the way from 1 to 100, and a quarter of that from 1 to 10,000.
    checkStretches(contourLines({{1, 100}, {1, 10000}}, {10}, true), {{{0.5, 0}, {0.25, 1}}});
    CHECK(contourLines({{1, 100}, {1, 100}}, {0}, true).empty());
}
