// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/plotting/contour.h"
#include "engine/plotting/cut.h"
#include "engine/plotting/parallel.h"
#include "engine/plotting/pareto.h"
#include "engine/store/evaluate_study.h"
#include "engine/study/sensitivity.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <limits>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Whether a point beats another in what is wanted, by the definition.
bool beats(const std::vector<Objective>& objectives, std::size_t a, std::size_t b) {
    bool better = false;
    for (const auto& one : objectives) {
        const double x = one.better * one.values[a], y = one.better * one.values[b];
        if (x < y)
            return false;
        better = better || x > y;
    }
    return better;
}

StudyTable table(std::vector<double> a, std::vector<double> y, std::vector<double> feasible) {
    StudyTable made;
    made.info.axes = {{"a", a}};
    made.columns = {{"a", "A", "", true, std::move(a)},
                    {"feasible", "Feasible", "", false, std::move(feasible)},
                    {"y", "Y", "s", false, std::move(y)}};
    made.boundNames = {"none"};
    made.bounds.assign(made.columns[0].values.size(), 0);
    return made;
}

} // namespace

TEST_CASE("a Pareto front of two objectives, by hand") {
    // Throughput over price: 3 is dearer than 1 and slower, 4 equals 1, 5 has no price.
    const std::vector<double> throughput{10, 30, 50, 20, 30, 99, 50};
    const std::vector<double> price{1, 4, 9, 5, 4, kNone, 12};
    CHECK(paretoFront({{throughput, 1}, {price, -1}}) == std::vector<std::size_t>{2, 1, 0});
    CHECK(paretoFront({{price, -1}, {throughput, 1}}) == std::vector<std::size_t>{0, 1, 2});
    CHECK(paretoFront({{throughput, 1}}).empty());
    const std::vector<double> none{kNone, kNone};
    CHECK(paretoFront({{none, 1}, {none, 1}}).empty());
}

TEST_CASE("a Pareto front of three objectives, by hand and against the definition") {
    const std::vector<double> a{1, 2, 3, 3, 2}, b{3, 2, 1, 1, 2}, c{1, 1, 1, 2, 2};
    // 3 beats 2 (same a and b, more c), 4 beats 1.
    CHECK(paretoFront({{a, 1}, {b, 1}, {c, 1}}) == std::vector<std::size_t>{3, 4, 0});
    std::mt19937 random(7);
    std::uniform_int_distribution<int> coarse(0, 12); // many equals
    std::vector<double> x, y, z;
    for (int i = 0; i < 400; ++i) {
        x.push_back(coarse(random));
        y.push_back(coarse(random));
        z.push_back(i % 17 == 0 ? kNone : coarse(random));
    }
    const std::vector<Objective> objectives{{x, 1}, {y, -1}, {z, 1}};
    const auto front = paretoFront(objectives);
    std::vector<bool> inFront(x.size());
    for (const auto i : front)
        inFront[i] = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
        bool beaten = std::isnan(z[i]), first = true;
        for (std::size_t k = 0; k < x.size(); ++k) {
            if (std::isnan(z[k]))
                continue;
            beaten = beaten || beats(objectives, k, i);
            first = first && !(k < i && x[k] == x[i] && y[k] == y[i] && z[k] == z[i]);
        }
        CHECK(inFront[i] == (!beaten && first));
    }
}

TEST_CASE("contours of a plane, by hand") {
    // Values 0 1 2 in every row: the level 0.5 is a straight line upwards at x = 0.5.
    const std::vector<std::vector<double>> plane{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}};
    const auto lines = contourLines(plane, {0.5, 1.25});
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].level == 0.5);
    CHECK(lines[0].points == std::vector<ContourPoint>{{0.5, 0}, {0.5, 1}, {0.5, 2}});
    CHECK(lines[1].points == std::vector<ContourPoint>{{1.25, 0}, {1.25, 1}, {1.25, 2}});
}

TEST_CASE("contours close round a peak, part at a saddle and end at a gap") {
    const auto peak = contourLines({{0, 0, 0}, {0, 4, 0}, {0, 0, 0}}, {2});
    REQUIRE(peak.size() == 1);
    REQUIRE(peak[0].points.size() == 5);
    CHECK(peak[0].points.front() == peak[0].points.back());
    for (const auto& point : peak[0].points)
        CHECK(std::fabs(point.x - 1) + std::fabs(point.y - 1) == doctest::Approx(0.5));
    const auto saddle = contourLines({{1, 0}, {0, 1}}, {0.4}); // the middle, 0.5, lies above
    REQUIRE(saddle.size() == 2);
    for (const auto& line : saddle)
        CHECK(line.points.size() == 2);
    const auto gap = contourLines({{0, 2, 0}, {0, 2, kNone}}, {1});
    REQUIRE(gap.size() == 1); // the square beside the gap has none
    CHECK(gap[0].points == std::vector<ContourPoint>{{0.5, 0}, {0.5, 1}});
    CHECK(contourLines({{1, 100}, {1, 100}}, {10}, true)[0].points[0].x == doctest::Approx(0.5));
    CHECK(contourLevels({0, 10}, false, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("rows within limits; parallel coordinates count what goes from place to place") {
    const auto study = table({1, 2, 3, 4}, {10, 20, 30, 40}, {1, 1, 1, 0});
    CHECK(rowsWithin(study, {}) == RowMask{1, 1, 1, 1});
    const std::vector<Limit> limits{{"y", 15}};
    CHECK(rowsWithin(study, limits) == RowMask{0, 1, 1, 0}); // what is not feasible has no value
    const std::vector<Limit> both{{"y", 15}, {"a", 0, 2}};
    CHECK(rowsWithin(study, both) == RowMask{0, 1, 0, 0});
    const std::vector<Limit> unknown{{"z", 0}};
    CHECK(keptCount(rowsWithin(study, unknown)) == 0);
    CHECK(keptOf({3, 2, 1, 0}, {0, 1, 1, 0}) == std::vector<std::size_t>{2, 1});

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

TEST_CASE("a tornado by hand: what a price does to tokens a dollar") {
    auto scenario = preset("glitches/a100-7u280");
    const auto metric = [](const Scenario& of) { return evaluate(of).metric(Metric::ThroughputPerPrice); };
    const double base = metric(scenario);
    const double gpu = scenario.findNode(NodeId{"gpu"})->device.price.value;
    const double fpga = scenario.findNode(NodeId{"fpga"})->device.price.value;
    const auto result = tornado(scenario,
                                {uncertainInput(scenario, "nodes.gpu.device.price_usd"),
                                 uncertainInput(scenario, "nodes.fpga.device.price_usd"),
                                 uncertainInput(scenario, "workload.batch")},
                                "tok_s_per_usd");
    CHECK(result.base == doctest::Approx(base));
    REQUIRE(result.swings.size() == 3);
    const double all = gpu + 7 * fpga;
    for (const auto& swing : result.swings)
        if (swing.input.path == "nodes.fpga.device.price_usd") {
            CHECK(swing.atLow == doctest::Approx(base * all / (all - 0.7 * fpga)));
            CHECK(swing.atHigh == doctest::Approx(base * all / (all + 0.7 * fpga)));
        } else if (swing.input.path == "nodes.gpu.device.price_usd") {
            CHECK(swing.atHigh == doctest::Approx(base * all / (all + 0.1 * gpu)));
        }
    for (std::size_t i = 1; i < result.swings.size(); ++i)
        CHECK(std::fabs(result.swings[i - 1].atHigh - result.swings[i - 1].atLow) >=
              std::fabs(result.swings[i].atHigh - result.swings[i].atLow));
    // A whole number moves by a whole step, and stays in its range.
    const auto batch = uncertainInput(scenario, "workload.batch");
    CHECK(batch.low == 1);
    CHECK(batch.high == 2);
    scenario.findNode(NodeId{"gpu"})->device.price.uncertainty = 0.5;
    const auto stated = uncertainInput(scenario, "nodes.gpu.device.price_usd");
    CHECK(stated.stated);
    CHECK(stated.low == doctest::Approx(0.5 * gpu));
    CHECK_THROWS(uncertainInput(scenario, "model"));
    CHECK_THROWS(tornado(scenario, {}, "beauty"));
    for (const auto& input : calibratedInputs(scenario))
        CHECK(input.provenance == Provenance::Calibrated);
}

TEST_CASE("the cut of a study gives the same curves; bands are the constants' own swings") {
    Study study{"s", preset("glitches/8a100"), {}};
    study.axes = {parseAxis(study.base, catalog(), "workload.prompt_tokens=128,512,1536"),
                  parseAxis(study.base, catalog(), "nodes.gpu.count=1,2,8"),
                  parseAxis(study.base, catalog(), "model=llama2-7b,llama2-13b")};
    SeriesQuery query;
    query.x = "workload.prompt_tokens";
    query.metric = "ttft_s";
    query.fixed = {{"nodes.gpu.count", 2}, {"model", 1}};
    const auto whole = studySeries(evaluateStudy(study), query);
    const auto cut = cutStudy(study, query);
    CHECK(cut.pointCount() == 3);
    const auto part = studySeries(evaluateStudy(cut), query);
    REQUIRE(part.size() == 1);
    CHECK(part[0].y == whole[0].y);

    const auto bands = seriesBands(study, query);
    REQUIRE(bands.size() == 1);
    PointSetter setter(cut);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto scenario = setter.at(i);
        double down = 0, up = 0;
        for (const auto& swing : tornado(scenario, calibratedInputs(scenario), "ttft_s").swings)
            for (const double at : {swing.atLow, swing.atHigh})
                (at < part[0].y[i] ? down : up) += std::pow(at - part[0].y[i], 2);
        CHECK(up > 0);
        CHECK(bands[0].low[i] == doctest::Approx(part[0].y[i] - std::sqrt(down)));
        CHECK(bands[0].high[i] == doctest::Approx(part[0].y[i] + std::sqrt(up)));
    }
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
