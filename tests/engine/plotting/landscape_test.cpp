// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/grid_rows.h"
#include "engine/plotting/series.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/plotting/small_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

StudyTable table(std::vector<double> a, std::vector<double> y, std::vector<double> feasible) {
    return smallTable({axisColumn("a", "A", std::move(a))}, std::move(feasible),
                      {metricColumn("y", "Y", "s", std::move(y))});
}

} // namespace

TEST_CASE("rows within limits; parallel coordinates count what goes from place to place") {
    const auto study = table({1, 2, 3, 4}, {10, 20, 30, 40}, {1, 1, 1, 0});
    CHECK(rowsWithin(study, {}) == RowMask{1, 1, 1, 1});
    const std::vector<Limit> limits{{"y", 15}};
    CHECK(rowsWithin(study, limits) == RowMask{0, 1, 1, 0}); // what is not feasible has no value
    const std::vector<Limit> both{{"y", 15}, {"a", 0, 2}};
    CHECK(rowsWithin(study, both) == RowMask{0, 1, 0, 0});
    const std::vector<Limit> unknown{{"z", 0}};
    CHECK(keptCount(rowsWithin(study, unknown)) == 0);

    const auto left = parallelAxis(study, "a"), right = parallelAxis(study, "y");
    CHECK(left.places == std::vector<std::uint16_t>{0, 85, 170, 255});
    CHECK(right.lower == 10);
    CHECK(right.upper == 30);
    CHECK(right.places[3] == kNoPlace);
    const auto bundles = parallelBundles(left, right, rowsWithin(study, limits));
    REQUIRE(bundles.size() == 3);
    CHECK(bundles[0].from == 0);
    CHECK(bundles[0].kept == 0);
    CHECK(bundles[0].all == 1);
    CHECK(bundles[1].to == 128);
    CHECK(bundles[1].kept == 1);
    CHECK(parallelAxis(table({1, 200}, {1, 1}, {1, 1}), "a").log);
    CHECK(right.valueAt(right.share(25)) == doctest::Approx(25));
}

TEST_CASE("ratios to a baseline; a gain by counting is the gain by searching") {
    auto study = table({1, 2, 4}, {10, 20, 40}, {1, 1, 1});
    SeriesQuery query;
    query.x = "a";
    query.metric = "y";
    query.baseline = std::make_shared<Baseline>(Baseline{"b", {{"y", 20.0}}});
    CHECK(studySeries(study, query)[0].y == std::vector<double>{0.5, 1, 2});
    query.baseline = std::make_shared<Baseline>(Baseline{"b", {{"y", kNone}}});
    CHECK(std::isnan(studySeries(study, query)[0].y[0]));

    Study real{"s", preset("preserve/llama3-405b-32"), {}};
    real.axes = {parseAxis(real.base, catalog(), "nodes.npu.count=8:64:*2"),
                 parseAxis(real.base, catalog(), "techniques.l2_prefetch.enabled=*"),
                 parseAxis(real.base, catalog(), "workload.batch=1,4")};
    const auto table = evaluateStudy(real);
    SeriesQuery gain;
    gain.x = "nodes.npu.count";
    gain.metric = "latency_s";
    gain.gain = {"techniques.l2_prefetch.enabled", 0};
    gain.fixed = {{"techniques.l2_prefetch.enabled", 1}, {"workload.batch", 4}};
    const auto counted = studySeries(table, gain);
    auto shuffled = table; // another order: the bases have to be searched
    for (auto& column : shuffled.columns)
        std::reverse(column.values.begin(), column.values.end());
    const auto searched = studySeries(shuffled, gain);
    CHECK(counted[0].x == searched[0].x);
    CHECK(counted[0].y == searched[0].y);
    CHECK(counted[0].y[2] > 1);
}
