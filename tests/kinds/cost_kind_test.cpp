// SPDX-License-Identifier: GPL-3.0-or-later
// What follows for an additive cost from a file of its own: nothing here but ids names the toy.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE(
    "an additive cost in a file of its own times, is explained, drawn, swept and saved like the others") {
    const auto plain = preset("preserve/llama3-70b-8h100");
    const auto step = evaluate(plain).metric(Metric::TimePerToken);
    const std::string cache = "nodes.gpu.runtime.toy_refill.cache_us",
                      wake = "nodes.gpu.runtime.toy_refill.wake_us";
    const auto scenario = with(with(plain, cache, "9"), wake, "4");
    // 80 layers: an attention in each, forty pairs.
    CHECK(evaluate(scenario).metric(Metric::TimePerToken) - step ==
          doctest::Approx(80 * 9e-6 + 40 * 4e-6).epsilon(1e-6));
    const auto text = termText(explain(scenario, "tpot_s"));
    CHECK(contains(text, "Refill of a cache"));
    CHECK(contains(text, "Waking up"));
    const auto timeline = stepTimeline(scenario, {"gpu"}, Phase::Decode);
    CHECK(timeline.seconds ==
          doctest::Approx(breakdown(scenario, {"gpu"}, Phase::Decode).seconds).epsilon(1e-9));
    double drawn = 0.0;
    for (const auto& segment : timeline.segments)
        drawn += segment.work == Work::Host ? segment.end - segment.start : 0.0;
    CHECK(drawn == doctest::Approx(80 * 9e-6 + 40 * 4e-6).epsilon(1e-9));

    const auto again = readScenario(writeScenario(scenario), catalog(), "again.hscape");
    CHECK(again == scenario);
    CHECK(scenarioKey(again) == scenarioKey(scenario));
    CHECK(scenarioKey(with(scenario, wake, "5")) != scenarioKey(scenario));
    const auto parameters = listParameters(plain, catalog());
    CHECK(std::any_of(parameters.begin(), parameters.end(),
                      [&](const Parameter& parameter) { return parameter.path == cache; }));
    CHECK(contains(errorOf([&] { with(plain, cache, "-1"); }), cache));

    Study study;
    study.base = plain;
    study.axes = {parseAxis(plain, catalog(), cache + "=0,5,10")};
    const auto table = evaluateStudy(study);
    const auto& times = table.find("tpot_s")->values;
    REQUIRE(times.size() == 3);
    CHECK(times[2] - times[0] == doctest::Approx(80 * 10e-6).epsilon(1e-6));
}
