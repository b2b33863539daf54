// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/series.h"

#include "tests/engine/fixtures.h"
#include "tests/engine/plotting/small_table.h"

#include <cmath>

using namespace heteroscape::engine;

namespace {

/// gpu 0, 1 x csd 0, 1 x count 8, 16. Throughput:
///   gpu csd   8   16
///    0   0    1    2
///    0   1    4    8
///    1   0    1    3
///    1   1    5  (infeasible)
StudyTable table() {
    return test::smallTable(
        {test::axisColumn("gpu", "GPU", {0, 0, 0, 0, 1, 1, 1, 1}),
         test::axisColumn("csd", "CSD", {0, 0, 1, 1, 0, 0, 1, 1}),
         test::axisColumn("count", "Count", {8, 16, 8, 16, 8, 16, 8, 16})},
        {1, 1, 1, 1, 1, 1, 1, 0},
        {test::metricColumn("throughput_tok_s", "Throughput", "tok/s", {1, 2, 4, 8, 1, 3, 5, 9})});
}

SeriesQuery cases() {
    SeriesQuery query;
    query.x = "count";
    query.metric = "throughput_tok_s";
    query.cases = {{"upgrade", {{"gpu", 1}, {"csd", 0}}}, {"near storage", {{"gpu", 1}, {"csd", 1}}}};
    return query;
}

} // namespace

TEST_CASE("a case is a curve, in the order given, with gaps of its own") {
    const auto series = studySeries(table(), cases());
    REQUIRE(series.size() == 2);
    CHECK(series[0].curveValue == 0);
    CHECK(series[0].x == std::vector<double>{8, 16});
    CHECK(series[0].y == std::vector<double>{1, 3});
    CHECK(series[0].rows == std::vector<std::size_t>{4, 5});
    CHECK(series[1].curveValue == 1);
    CHECK(series[1].y[0] == 5);
    CHECK(std::isnan(series[1].y[1]));
    CHECK(cases().inCases("csd"));
    CHECK_FALSE(cases().inCases("count"));
}

TEST_CASE("a gain over a base that differs in several axes") {
    auto query = cases();
    query.gain = {"gpu", 0, {{"csd", 0}}};
    auto series = studySeries(table(), query);
    REQUIRE(series.size() == 2);
    CHECK(series[0].y == std::vector<double>{1, 1.5});
    CHECK(series[1].y[0] == 5);
    // The base may fix what is across as well: then every point is over the same one.
    query.gain.further.emplace_back("count", 16);
    series = studySeries(table(), query);
    CHECK(series[0].y == std::vector<double>{0.5, 1.5});
    CHECK(series[1].y[0] == 2.5);
    CHECK(query.gain.names("gpu"));
    CHECK(query.gain.names("count"));
    CHECK_FALSE(query.gain.names("model"));
}

TEST_CASE("a case whose points are not stored yet has no curve; an unknown axis is refused") {
    auto query = cases();
    query.cases[0].at[0].second = 7;
    const auto series = studySeries(table(), query);
    REQUIRE(series.size() == 1);
    CHECK(series[0].curveValue == 1);
    query.cases[0].at[0].first = "colour";
    CHECK_THROWS_AS(studySeries(table(), query), Error);
}
