// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/plotting/grid_rows.h"
#include "engine/plotting/series.h"
#include "engine/units/number_text.h"
#include "tests/rounds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

using namespace heteroscape::engine;

namespace {

/// Two values of a, three of b, two of c: c changes with every row, a after six.
StudyTable grid() {
    StudyTable table;
    table.info.axes = {{"n.a", {1, 2}}, {"n.b", {10, 30, 20}}, {"n.c", {5, 7}}};
    for (const auto& axis : table.info.axes)
        table.columns.push_back({axis.path, axis.path, "", true, {}});
    table.columns.push_back({"feasible", "Feasible", "", false, std::vector<double>(12, 1.0)});
    table.columns.push_back({"latency_s", "Latency", "s", false, {}});
    for (std::size_t row = 0; row < 12; ++row) {
        table.columns[0].values.push_back(table.info.axes[0].values[row / 6]);
        table.columns[1].values.push_back(table.info.axes[1].values[row / 2 % 3]);
        table.columns[2].values.push_back(table.info.axes[2].values[row % 2]);
        table.columns[4].values.push_back(static_cast<double>(row + 1));
    }
    table.bounds.resize(12);
    return table;
}

/// The same without its fourth row: no whole grid.
StudyTable withoutFourth() {
    auto table = grid();
    for (auto& column : table.columns)
        column.values.erase(column.values.begin() + 3);
    table.bounds.pop_back();
    return table;
}

using Rows = std::vector<std::size_t>;
using Held = std::vector<std::pair<std::string, double>>;

} // namespace

TEST_CASE("a whole grid in its own order is told from any other table") {
    const auto table = grid();
    const auto found = wholeGrid(table);
    REQUIRE(found);
    CHECK(found->at(0).stride == 6);
    CHECK(found->at(1).stride == 2);
    CHECK(found->at(1).position(20) == 2);
    CHECK(found->at(1).position(25) == 3); // it has no such value
    CHECK(!wholeGrid(withoutFourth()));
    auto turned = grid();
    std::swap(turned.columns[0].values[0], turned.columns[0].values[6]);
    CHECK(!wholeGrid(turned));
    CHECK(!wholeGrid(StudyTable{}));
}

TEST_CASE("the rows at held values, counted out or gone through") {
    const auto whole = grid();
    CHECK(rowsAt(whole, Held{{"n.b", 30}}) == Rows{2, 3, 8, 9});
    CHECK(rowsAt(whole, Held{{"n.c", 7}, {"n.a", 2}}) == Rows{7, 9, 11});
    CHECK(rowsAt(whole, Held{}).size() == 12);
    CHECK(rowsAt(whole, Held{{"n.b", 25}}).empty());
    CHECK(rowsAt(whole, Held{{"n.b", 10}, {"n.b", 20}}).empty());
    CHECK(rowsAt(whole, Held{{"latency_s", 4}}) == Rows{3}); // no axis
    const auto part = withoutFourth();
    CHECK(rowsAt(part, Held{{"n.b", 30}}) == Rows{2, 7, 8});
    CHECK(rowsAt(part, Held{{"n.c", 7}, {"n.a", 2}}) == Rows{6, 8, 10});
    CHECK_THROWS_AS(rowsAt(whole, Held{{"n.d", 1}}), Error);
}

TEST_CASE("gains are over the same base, whole grid or not") {
    SeriesQuery query{.x = "n.b", .curve = "", .metric = "latency_s", .fixed = {{"n.a", 2}, {"n.c", 7}}};
    query.gain = {.axis = "n.a", .value = 1, .further = {{"n.c", 5}}};
    // Latencies 8, 12, 10 at b = 10, 20, 30, over 1, 5, 3 at the base: less is better.
    const std::vector<double> gains{1.0 / 8, 3.0 / 10, 5.0 / 12};
    const auto counted = studySeries(grid(), query);
    REQUIRE(counted.size() == 1);
    CHECK(counted[0].x == std::vector<double>{10, 20, 30});
    CHECK(counted[0].y == std::vector<double>{gains[0], gains[2], gains[1]});
    CHECK(counted[0].rows == Rows{7, 11, 9});
    const auto sought = studySeries(withoutFourth(), query);
    REQUIRE(sought.size() == 1);
    CHECK(sought[0].y == counted[0].y);
}

TEST_CASE("cleaning rounds as printing with 15 digits does") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-300, 300), digits(1, 10);
    for (int i = 0; i < test::rounds(20000); ++i) {
        const double value = (i % 2 ? 1 : -1) * digits(random) * std::pow(10.0, exponent(random));
        char text[40];
        std::snprintf(text, sizeof text, "%.15g", value);
        CHECK(cleaned(value) == std::strtod(text, nullptr));
    }
    CHECK(cleaned(0.1 + 0.2) == 0.3);
    CHECK(!std::signbit(cleaned(-0.0)));
    CHECK(std::isinf(cleaned(std::numeric_limits<double>::infinity())));
    CHECK(std::isnan(cleaned(std::numeric_limits<double>::quiet_NaN())));
}
