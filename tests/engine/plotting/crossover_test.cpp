// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/crossover.h"

#include "tests/engine/fixtures.h"

#include <cmath>
#include <limits>

using namespace heteroscape::engine;

namespace {

const std::vector<double> kX{1, 2, 3, 5};

std::vector<Crossover> found(const std::vector<double>& first, const std::vector<double>& second,
                             CrossoverKind kind = CrossoverKind::Interpolated, int better = 1) {
    return crossovers({kX, first, second}, better, kind);
}

} // namespace

TEST_CASE("curves that keep their order have no crossover") {
    CHECK(found({1, 2, 3, 4}, {2, 3, 4, 5}).empty());
    CHECK(found({1, 2, 3, 4}, {2, 3, 4, 5}, CrossoverKind::FirstPoint).empty());
    CHECK(crossovers({{}, {}, {}}, 1, CrossoverKind::Interpolated).empty());
    CHECK(found({1, 1, 1, 1}, {1, 1, 1, 1}).empty());
}

TEST_CASE("one crossover: where the drawn lines meet, or the first point of the new lead") {
    // From (3, 6) to (5, 2) and from (3, 3) to (5, 4): 3 apart, then -2: after 3/5 of the way.
    const std::vector<double> first{6, 6, 6, 2}, second{1, 2, 3, 4};
    const auto between = found(first, second);
    REQUIRE(between.size() == 1);
    CHECK(between[0].x == doctest::Approx(4.2));
    CHECK(between[0].y == doctest::Approx(3.6));
    CHECK(between[0].secondLeads);
    const auto point = found(first, second, CrossoverKind::FirstPoint);
    REQUIRE(point.size() == 1);
    CHECK(point[0].x == 5);
    CHECK(point[0].y == 4);
    CHECK(point[0].secondLeads);
}

TEST_CASE("where less is better the other one leads") {
    const auto less = found({6, 6, 6, 2}, {1, 2, 3, 4}, CrossoverKind::FirstPoint, -1);
    REQUIRE(less.size() == 1);
    CHECK(less[0].x == 5);
    CHECK(less[0].y == 2);
    CHECK_FALSE(less[0].secondLeads);
}

TEST_CASE("several crossovers, from the left") {
    const auto all = found({0, 2, 0, 2}, {1, 1, 1, 1});
    REQUIRE(all.size() == 3);
    CHECK(all[0].x == doctest::Approx(1.5));
    CHECK_FALSE(all[0].secondLeads);
    CHECK(all[1].x == doctest::Approx(2.5));
    CHECK(all[1].secondLeads);
    CHECK(all[2].x == doctest::Approx(4));
    for (const auto& one : all)
        CHECK(one.y == doctest::Approx(1));
}

TEST_CASE("curves that touch and part as before do not cross; that lie on each other cross where they meet") {
    CHECK(found({3, 2, 2, 3}, {1, 2, 1, 1}).empty());
    CHECK(found({2, 2, 3, 3}, {2, 1, 1, 1}).empty()); // nobody led before
    const auto through = found({3, 2, 1, 1}, {1, 2, 3, 3});
    REQUIRE(through.size() == 1);
    CHECK(through[0].x == 2);
    CHECK(through[0].y == 2);
    const auto along = found({3, 2, 2, 1}, {1, 2, 2, 3});
    REQUIRE(along.size() == 1);
    CHECK(along[0].x == 2);
    const auto led = found({3, 2, 2, 1}, {1, 2, 2, 3}, CrossoverKind::FirstPoint);
    REQUIRE(led.size() == 1);
    CHECK(led[0].x == 5);
}

TEST_CASE("nothing is known across a gap") {
    CHECK(found({3, kNone, 1, 1}, {1, 2, 3, 3}).empty());
    CHECK(found({3, 3, 1, 1}, {1, kNone, 3, 3}, CrossoverKind::FirstPoint).empty());
    const auto after = found({kNone, 3, 1, 1}, {1, 1, 3, 3});
    REQUIRE(after.size() == 1);
    CHECK(after[0].x == doctest::Approx(2.5));
}

TEST_CASE("on logarithmic axes lines meet where they are drawn to meet") {
    // Both axes in decades: from (1, 1) to (100, 100) and from (1, 10) to (100, 10): half way, at 10.
    const std::vector<double> x{1, 100}, first{1, 100}, second{10, 10};
    const auto both = crossovers({x, first, second, true, true}, 1, CrossoverKind::Interpolated);
    REQUIRE(both.size() == 1);
    CHECK(both[0].x == doctest::Approx(10));
    CHECK(both[0].y == doctest::Approx(10));
    // What such an axis cannot show is a gap.
    CHECK(crossovers({x, {-1, 100}, second, true, true}, 1, CrossoverKind::Interpolated).empty());
}
