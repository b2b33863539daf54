// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/sensitivity.h"

#include "engine/evaluation/evaluate.h"
#include "engine/plotting/cut.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kGpuPrice = "nodes.gpu.device.price_usd";
const std::string kFpgaPrice = "nodes.fpga.device.price_usd";
const std::string kFpgaCount = "nodes.fpga.count";

Quantity& gpuPrice(Scenario& scenario) {
    return scenario.findNode(NodeId{"gpu"})->device.price;
}
Quantity& fpgaPrice(Scenario& scenario) {
    return scenario.findNode(NodeId{"fpga"})->device.price;
}

/// What a tornado may be drawn over, at one path.
UncertainInput inputAt(const Scenario& scenario, const std::string& path) {
    for (const auto& input : allInputs(scenario))
        if (input.path == path)
            return input;
    FAIL("no input " << path);
    return {};
}

} // namespace

TEST_CASE("a tornado by hand: what a price does to tokens a dollar") {
    auto scenario = preset("glitches/a100-7u280");
    const auto metric = [](const Scenario& of) { return evaluate(of).metric(Metric::ThroughputPerPrice); };
    const double base = metric(scenario);
    const double gpu = scenario.findNode(NodeId{"gpu"})->device.price.value;
    const double fpga = scenario.findNode(NodeId{"fpga"})->device.price.value;
    const auto result =
        tornado(scenario,
                {inputAt(scenario, "nodes.gpu.device.price_usd"),
                 inputAt(scenario, "nodes.fpga.device.price_usd"), inputAt(scenario, "workload.batch")},
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
    const auto batch = inputAt(scenario, "workload.batch");
    CHECK(batch.low == 1);
    CHECK(batch.high == 2);
    scenario.findNode(NodeId{"gpu"})->device.price.uncertainty = 0.5;
    const auto stated = inputAt(scenario, "nodes.gpu.device.price_usd");
    CHECK(stated.stated);
    CHECK(stated.low == doctest::Approx(0.5 * gpu));
    CHECK_THROWS(tornado(scenario, {}, "beauty"));
    std::size_t checked = 0;
    for (const auto& input : calibratedInputs(scenario)) {
        CHECK(input.provenance == Provenance::Calibrated);
        ++checked;
    }
    CHECK(checked > 3);
}

TEST_CASE("a tornado of the price, by hand: 73,000 = 17,000 + 7 x 8,000") {
    auto scenario = preset("glitches/a100-7u280");
    const auto inputs = [&scenario](const std::vector<std::string>& paths) {
        std::vector<UncertainInput> made;
        for (const auto& path : paths)
            made.push_back(inputAt(scenario, path));
        return made;
    };
    const auto result =
        tornado(scenario, inputs({"workload.batch", kGpuPrice, kFpgaCount, kFpgaPrice}), "price_usd");
    CHECK(result.base == 73'000);
    REQUIRE(result.swings.size() == 3); // the batch costs nothing
    struct Row {
        std::string path;
        double low, high;
    };
    const Row expected[] = {{kFpgaCount, 65'000, 81'000}, // one board fewer, one more
                            {kFpgaPrice, 67'400, 78'600}, // 7 x 7,200 and 7 x 8,800
                            {kGpuPrice, 71'300, 74'700}}; // 15,300 and 18,700
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(result.swings[i].input.path == expected[i].path);
        CHECK(result.swings[i].atLow == doctest::Approx(expected[i].low).epsilon(1e-12));
        CHECK(result.swings[i].atHigh == doctest::Approx(expected[i].high).epsilon(1e-12));
    }
    CHECK(result.swings[0].input.low == 6);
    CHECK(result.swings[0].input.high == 8);

    // An end that cannot run has no value, and its bar comes last.
    auto batch = inputAt(scenario, "workload.batch");
    batch.high = 4096;
    REQUIRE_FALSE(evaluate(with(scenario, "workload.batch", "4096")).feasible);
    auto moved = inputs({kGpuPrice, kFpgaPrice});
    moved.insert(moved.begin(), batch);
    const auto stopped = tornado(scenario, moved, "price_usd");
    REQUIRE(stopped.swings.size() == 3);
    CHECK(stopped.swings[0].input.path == kFpgaPrice);
    CHECK(stopped.swings[1].input.path == kGpuPrice);
    CHECK(stopped.swings[2].input.path == "workload.batch");
    CHECK(stopped.swings[2].atLow == 73'000);
    CHECK(std::isnan(stopped.swings[2].atHigh));

    gpuPrice(scenario) = {};
    const auto movable = allInputs(scenario);
    CHECK(std::none_of(movable.begin(), movable.end(),
                       [](const UncertainInput& input) { return input.path == kGpuPrice; }));
    // Without a GPU price there is none of the whole, and nothing moves it.
    const auto none = tornado(scenario, inputs({kFpgaPrice}), "price_usd");
    CHECK(std::isnan(none.base));
    CHECK(none.swings.empty());
}

TEST_CASE("bands of the price, by hand: independent constants add as the root of their squares") {
    Study study{"s", preset("glitches/a100-7u280"), {}};
    study.base.change([](Scenario& base) {
        for (auto* price : {&gpuPrice(base), &fpgaPrice(base)}) {
            price->provenance = Provenance::Calibrated;
            price->uncertainty = 0.1;
        }
    });
    study.axes = {parseAxis(study.base, catalog(), kFpgaCount + "=1,7")};
    SeriesQuery query;
    query.x = kFpgaCount;
    query.metric = "price_usd";
    const auto bands = seriesBands(study, query);
    REQUIRE(bands.size() == 1);
    REQUIRE(bands[0].low.size() == 2);
    // 10 % of 17,000 is 1,700; of 7 x 8,000, 5,600. The other constants cost nothing.
    const double of7 = std::sqrt(1'700.0 * 1'700 + 5'600.0 * 5'600);
    CHECK(of7 == doctest::Approx(5'852.35).epsilon(1e-6));
    CHECK(bands[0].low[1] == doctest::Approx(73'000 - of7).epsilon(1e-12));
    CHECK(bands[0].high[1] == doctest::Approx(73'000 + of7).epsilon(1e-12));
    const double of1 = std::sqrt(1'700.0 * 1'700 + 800.0 * 800);
    CHECK(bands[0].low[0] == doctest::Approx(25'000 - of1).epsilon(1e-12));
    CHECK(bands[0].high[0] == doctest::Approx(25'000 + of1).epsilon(1e-12));
    // As a ratio to the design of 7 the band is that of 7 over 73,000.
    query.baseline = std::make_shared<Baseline>(Baseline{"b", {{"price_usd", 73'000.0}}});
    const auto ratio = seriesBands(study, query);
    CHECK(ratio[0].low[1] == doctest::Approx(1 - of7 / 73'000).epsilon(1e-12));
    CHECK(ratio[0].high[1] == doctest::Approx(1 + of7 / 73'000).epsilon(1e-12));
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
