// SPDX-License-Identifier: GPL-3.0-or-later
// What follows for a timing model from a file of its own: nothing here but ids names the toy.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A preset whose GPU decodes by it.
Scenario even() {
    auto json = writeScenario(preset("preserve/llama3-70b-8h100"));
    for (auto& node : json["nodes"])
        if (node.contains("runtime"))
            node["runtime"]["timing"]["decode"] = {{"model", "toy_even"}, {"each_us", 7}};
    auto scenario = readScenario(json, catalog(), "even.hscape");
    scenario.findNode({"gpu"})->device.clock = {1e9, Provenance::User, {}};
    return scenario;
}

} // namespace

TEST_CASE("a timing model of its own file times, is swept, drawn and saved like the others") {
    const auto scenario = even();
    REQUIRE_FALSE(hasErrors(validate(scenario)));
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    const auto detail = breakdown(scenario, {"gpu"}, Phase::Decode);
    double collectives = 0.0;
    double count = 0.0;
    for (const auto& row : detail.operators) {
        if (row.bound == Bound::Network) {
            collectives += row.seconds;
            continue;
        }
        CHECK(row.bound == Bound::LaunchFloor);
        CHECK(row.seconds == doctest::Approx(row.repeat * 7e-6).epsilon(1e-12));
        count += row.repeat;
    }
    CHECK(collectives > 0.0);
    CHECK(e.metric(Metric::TimePerToken) == doctest::Approx(count * 7e-6 + collectives).epsilon(1e-12));
    CHECK(stepTimeline(scenario, {"gpu"}, Phase::Decode).seconds ==
          doctest::Approx(count * 7e-6 + collectives).epsilon(1e-11));

    const auto again = readScenario(writeScenario(scenario), catalog(), "again.hscape");
    CHECK(again == scenario);
    CHECK(scenarioKey(again) == scenarioKey(scenario));
    CHECK(scenarioKey(with(scenario, "nodes.gpu.timing.decode.each_us", "8")) != scenarioKey(scenario));
}

TEST_CASE("a timing model's parameters are paths with range and words, and what it needs of a device is "
          "asked for") {
    auto scenario = even();
    const auto parameters = listParameters(scenario, catalog());
    const auto found = std::find_if(parameters.begin(), parameters.end(), [](const Parameter& parameter) {
        return parameter.path == "nodes.gpu.timing.decode.each_us";
    });
    REQUIRE(found != parameters.end());
    CHECK(found->spec.label == "Decode: time of each operator");
    CHECK(parameterText(scenario, *found) == "7");
    CHECK(errorOf([&] { with(scenario, found->path, "-1"); }).find(found->path) == 0);

    Study study;
    study.base = scenario;
    study.axes = {parseAxis(scenario, catalog(), "nodes.gpu.timing.decode.each_us=1,2,4")};
    const auto table = evaluateStudy(study);
    const auto& times = table.find("tpot_s")->values;
    REQUIRE(times.size() == 3);
    CHECK(times[0] < times[1]);
    CHECK(times[2] - times[1] == doctest::Approx(2 * (times[1] - times[0])).epsilon(1e-9));

    scenario.findNode({"gpu"})->device.clock = {};
    const auto diagnostics = validate(scenario);
    CHECK(std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& one) {
        return one.message.find("the clock is not set") != std::string::npos;
    }));
}

TEST_CASE("a timing model that nobody registered is refused by name, with those that there are") {
    auto json = writeScenario(preset("glitches/a100-7u280"));
    for (auto& node : json["nodes"])
        if (node.contains("runtime"))
            node["runtime"]["timing"]["decode"]["model"] = "toy_evn";
    const auto message = errorOf([&] { readScenario(json, catalog(), "bad.hscape"); });
    CHECK(message.find("timing.decode.model") != std::string::npos);
    CHECK(message.find("toy_even") != std::string::npos);
    CHECK(message.find("roofline") != std::string::npos);
}
