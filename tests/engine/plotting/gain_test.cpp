// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/series.h"

#include "tests/engine/fixtures.h"
#include "tests/engine/plotting/small_table.h"

#include <cmath>
#include <limits>

using namespace heteroscape::engine;

namespace {

/// size 1, 2 x mode off, on x load 10, 20. Latency (less is better) and throughput (more is better):
///   size mode load  latency  throughput
///    1   off   10      8        4
///    1   off   20     12        2
///    1   on    10      4        6
///    1   on    20      8        4
///    2   off   10      6        8
///    2   off   20     10        5
///    2   on    10      5       10
///    2   on    20      8       20
StudyTable gainTable() {
    return test::smallTable(
        {test::axisColumn("size", "Size", {1, 1, 1, 1, 2, 2, 2, 2}),
         test::axisColumn("mode", "Mode", {0, 0, 1, 1, 0, 0, 1, 1}, {"off", "on"}),
         test::axisColumn("load", "Load", {10, 20, 10, 20, 10, 20, 10, 20})},
        {1, 1, 1, 1, 1, 1, 1, 1},
        {test::metricColumn("latency_s", "Latency", "s", {8, 12, 4, 8, 6, 10, 5, 8}),
         test::metricColumn("throughput_tok_s", "Throughput", "tok/s", {4, 2, 6, 4, 8, 5, 10, 20})});
}

StudyColumn& column(StudyTable& gainTable, const std::string& name) {
    for (auto& one : gainTable.columns)
        if (one.name == name)
            return one;
    return gainTable.columns.front();
}

SeriesQuery query(const std::string& metric, MeanKind mean = MeanKind::Arithmetic) {
    SeriesQuery made;
    made.x = "size";
    made.metric = metric;
    made.fixed = {{"mode", 1}};
    made.meanOver = {"load"};
    made.mean = mean;
    return made;
}

std::vector<double> values(const StudyTable& gainTable, const SeriesQuery& query) {
    const auto series = studySeries(gainTable, query);
    REQUIRE(series.size() == 1);
    return series[0].y;
}

void checkValues(const std::vector<double>& found, const std::vector<double>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        if (std::isnan(expected[i]))
            CHECK(std::isnan(found[i]));
        else
            CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-14));
    }
}

} // namespace

TEST_CASE("means of points by hand: arithmetic, harmonic, sum") {
    checkValues(values(gainTable(), query("latency_s")), {6, 6.5});
    checkValues(values(gainTable(), query("latency_s", MeanKind::Sum)), {12, 13});
    checkValues(values(gainTable(), query("throughput_tok_s", MeanKind::Harmonic)),
                {2 / (1.0 / 6 + 1.0 / 4), 2 / (1.0 / 10 + 1.0 / 20)});
    CHECK(meanKindNames()[static_cast<std::size_t>(MeanKind::Harmonic)] == "harmonic");
}

TEST_CASE("a gain is above one where the value is the better one, by the metric's direction") {
    auto gain = query("latency_s");
    gain.meanOver.clear();
    gain.curve = "load";
    gain.gain = {"mode", 0};
    auto series = studySeries(gainTable(), gain);
    REQUIRE(series.size() == 2);
    checkValues(series[0].y, {8.0 / 4, 6.0 / 5}); // less is better: base over value
    checkValues(series[1].y, {12.0 / 8, 10.0 / 8});
    CHECK(series[1].rows == std::vector<std::size_t>{3, 7});
    gain.metric = "throughput_tok_s";
    series = studySeries(gainTable(), gain);
    checkValues(series[0].y, {6.0 / 4, 10.0 / 8}); // more is better: value over base
    checkValues(series[1].y, {4.0 / 2, 20.0 / 5});
    gain.fixed = {{"mode", 0}};
    checkValues(studySeries(gainTable(), gain)[0].y, {1, 1}); // the base over itself
}

TEST_CASE("the gain is taken point by point, before the mean") {
    auto gain = query("latency_s");
    gain.gain = {"mode", 0};
    checkValues(values(gainTable(), gain), {(8.0 / 4 + 12.0 / 8) / 2, (6.0 / 5 + 10.0 / 8) / 2});
    gain.mean = MeanKind::Harmonic;
    checkValues(values(gainTable(), gain), {2 / (4.0 / 8 + 8.0 / 12), 2 / (5.0 / 6 + 8.0 / 10)});
}

TEST_CASE("a gain over the axis along x or of the curves") {
    SeriesQuery over;
    over.x = "size";
    over.curve = "mode";
    over.metric = "latency_s";
    over.fixed = {{"load", 20}};
    over.gain = {"size", 1};
    const auto series = studySeries(gainTable(), over);
    REQUIRE(series.size() == 2);
    checkValues(series[0].y, {1, 12.0 / 10});
    checkValues(series[1].y, {1, 8.0 / 8});
}

TEST_CASE("a gap stays a gap: infeasible points, metrics not known, bases that are missing") {
    const double whole = (6.0 / 5 + 10.0 / 8) / 2;
    auto gain = query("latency_s");
    gain.gain = {"mode", 0};

    auto infeasible = gainTable();
    column(infeasible, "feasible").values[3] = 0; // size 1, on, 20
    checkValues(values(infeasible, gain), {kNone, whole});
    for (const auto mean : {MeanKind::Arithmetic, MeanKind::Harmonic, MeanKind::Sum})
        checkValues(values(infeasible, query("throughput_tok_s", mean)),
                    {kNone, values(gainTable(), query("throughput_tok_s", mean))[1]});

    auto base = gainTable();
    column(base, "feasible").values[1] = 0; // the base of it
    checkValues(values(base, gain), {kNone, whole});
    checkValues(values(base, query("latency_s")), {6, 6.5}); // which a plain mean does not need

    auto unknown = gainTable();
    column(unknown, "latency_s").values[4] = kNone;
    checkValues(values(unknown, gain), {1.75, kNone});

    auto missing = gainTable(); // a run that was stopped before the base
    for (auto& one : missing.columns)
        one.values.erase(one.values.begin());
    missing.bounds.pop_back();
    checkValues(values(missing, gain), {kNone, whole});

    auto stopped = gainTable(); // before the last point
    for (auto& one : stopped.columns)
        one.values.pop_back();
    stopped.bounds.pop_back();
    for (const auto mean : {MeanKind::Arithmetic, MeanKind::Harmonic, MeanKind::Sum})
        checkValues(values(stopped, query("latency_s", mean)),
                    {values(gainTable(), query("latency_s", mean))[0], kNone});

    gain.gain.value = 7; // on no point
    checkValues(values(gainTable(), gain), {kNone, kNone});
}

TEST_CASE("unknown columns of gains and means are refused by name") {
    auto bad = query("latency_s");
    bad.gain = {"colour", 0};
    CHECK(test::errorOf([&] { studySeries(gainTable(), bad); }).find("\"colour\"") != std::string::npos);
    bad = query("latency_s");
    bad.meanOver = {"taste"};
    CHECK(test::errorOf([&] { studySeries(gainTable(), bad); }).find("\"taste\"") != std::string::npos);
}

TEST_CASE("the best of a curve, and where it saturates") {
    const std::vector<double> falling{10.0, kNone, 8.0, 7.005, 7.0, 7.001};
    CHECK(bestIndex(falling, -1) == 4);
    CHECK(bestIndex(falling, -1, 0.001) == 3);
    CHECK(bestIndex(falling, -1, 0.2) == 2);
    CHECK(bestIndex(falling, 1) == 0);
    CHECK(!bestIndex({kNone, kNone}, 1, 0.1));
}
