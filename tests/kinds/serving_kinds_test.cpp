// SPDX-License-Identifier: GPL-3.0-or-later
// What follows for arrivals and batching from a file of their own: nothing here but ids names the toys.
#include "engine/evaluation/compare_designs.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Scenario bursts() {
    return presetWith("glitches/a100-7u280", {{"serving.arrivals", "bursts"},
                                              {"serving.requests", "20"},
                                              {"serving.burst", "5"},
                                              {"serving.period_s", "100"}});
}

ServingEvaluation run(const Scenario& scenario) {
    SimulationOptions options;
    options.recorded = 1000;
    return simulate(scenario, evaluate(scenario), options);
}

} // namespace

TEST_CASE("serving kinds: one that is listed is a choice, and its parameters are paths") {
    const auto scenario = bursts();
    const auto choices = findParameter(scenario, catalog(), "serving.arrivals").choices;
    CHECK(std::find(choices.begin(), choices.end(), "bursts") != choices.end());
    const auto period = findParameter(scenario, catalog(), "serving.period_s");
    CHECK(period.spec.label == "Period");
    CHECK(parameterText(scenario, period) == "100");
    CHECK(errorOf([&] { setEdit(scenario, catalog(), "serving.period_s", "0"); }).find("serving.period_s") ==
          0);
    CHECK(errorOf([&] { setEdit(scenario, catalog(), "serving.arrivals", "never"); }).find("bursts") !=
          std::string::npos);
    CHECK(simulatedArrivalsText() == "backlog, poisson, trace, closed_loop or bursts");
}

TEST_CASE("serving kinds: kinds that share a key agree on what it is") {
    std::vector<const ServingKind*> kinds(arrivalKinds().all().begin(), arrivalKinds().all().end());
    kinds.insert(kinds.end(), batchingKinds().all().begin(), batchingKinds().all().end());
    for (const auto* kind : kinds)
        for (const auto& parameter : kind->parameters()) {
            const auto all = servingParameters();
            const auto known = std::find_if(all.begin(), all.end(), [&](const KindParameter& other) {
                return other.spec.key == parameter.spec.key;
            });
            REQUIRE(known != all.end());
            CAPTURE(parameter.spec.key);
            CHECK(known->spec.minimum == parameter.spec.minimum);
            CHECK(known->spec.maximum == parameter.spec.maximum);
            CHECK(known->spec.scale == parameter.spec.scale);
            CHECK(findField(servingFields(), parameter.spec.key) == nullptr);
        }
}

TEST_CASE("serving kinds: what was set is kept while another kind is looked at") {
    auto scenario = bursts();
    scenario = with(scenario, "serving.arrivals", "backlog");
    scenario = with(scenario, "serving.burst", "7"); // of a kind that is not chosen
    scenario = with(scenario, "serving.arrivals", "bursts");
    CHECK(scenario.serving["period_s"].value == 100.0);
    CHECK(scenario.serving["burst"].value == 7.0);
    CHECK(scenario.serving["requests"].value == 20.0);
    const auto settings = scenario.serving.settings(*scenario.serving.arrivals);
    CHECK(settings[static_cast<std::size_t>(scenario.serving.arrivals->indexOf("burst"))] == 7.0);
}

TEST_CASE("serving kinds: saved and read again; unknown ones are refused by name") {
    for (const auto& scenario : {bursts(), with(bursts(), "serving.arrivals", "backlog"),
                                 with(bursts(), "serving.batching", "sliced")}) {
        auto json = writeScenario(scenario);
        CHECK(json["serving"]["period_s"] == 100);
        CHECK(readScenario(json, catalog(), "d") == scenario);
        json["serving"]["arrivals"] = "rarely";
        const auto message = errorOf([&] { readScenario(json, catalog(), "d"); });
        CHECK(message.find("d.serving.arrivals") == 0);
        CHECK(message.find("\"rarely\"") != std::string::npos);
        CHECK(message.find("bursts") != std::string::npos);
    }
    // A design that uses none of a kind does not speak of it.
    CHECK_FALSE(writeScenario(preset("glitches/a100-7u280"))["serving"].contains("period_s"));
    CHECK_FALSE(writeScenario(preset("glitches/a100-7u280"))["serving"].contains("slice_tokens"));
}

TEST_CASE("serving kinds: requests are simulated as the kind says") {
    const auto serving = run(bursts());
    REQUIRE(serving.ran());
    const auto& served = serving.result.requests;
    REQUIRE(served.size() == 20);
    for (std::size_t i = 0; i < served.size(); ++i)
        CHECK(served[i].request.arrival == 100.0 * static_cast<double>(i / 5));
    CHECK(run(with(bursts(), "serving.period_s", "0.001")).result.wait.mean() > serving.result.wait.mean());
}

TEST_CASE("serving kinds: a sweep goes over the kinds and their parameters") {
    Study study{"s", bursts(), {}};
    for (const auto* axis : {"serving.arrivals=backlog,bursts", "serving.period_s=1,1000"})
        study.axes.push_back(parseAxis(study.base, catalog(), axis));
    const auto table = evaluateStudy(study);
    const auto& waits = table.find("wait_mean_s")->values;
    REQUIRE(waits.size() == 4);
    CHECK(waits[0] == waits[1]); // a backlog has no period
    CHECK(waits[2] > waits[3]);
    CHECK(scenarioKey(with(bursts(), "serving.burst", "6")) != scenarioKey(bursts()));
}

TEST_CASE("serving kinds: explanation and comparison use the kind's words") {
    const auto explanation = explain(bursts(), "ttft_p99_s");
    const auto text = termText(explanation);
    CAPTURE(text);
    CHECK(text.find("20 requests in bursts of 5 every 100 s") != std::string::npos);
    const std::vector<Scenario> designs{bursts(), with(bursts(), "serving.period_s", "50")};
    const auto rows = compareProperties(designs);
    CHECK(std::any_of(rows.begin(), rows.end(),
                      [](const auto& row) { return row.label == "Period" && row.differs; }));
}

TEST_CASE("serving kinds: batching of one's own slices prompts, and says where it cannot act") {
    const auto base = presetWith("glitches/8a100", {{"serving.arrivals", "backlog"},
                                                    {"serving.requests", "30"},
                                                    {"workload.batch", "4"},
                                                    {"serving.slice_tokens", "32"}});
    const auto sliced = run(with(base, "serving.batching", "sliced"));
    const auto chunked =
        run(with(with(base, "serving.batching", "continuous"), "serving.chunk_tokens", "32"));
    REQUIRE(sliced.ran());
    CHECK(sliced.result.end == chunked.result.end);
    CHECK(sliced.result.end != run(with(base, "serving.batching", "continuous")).result.end);

    const auto offloaded = presetWith("inf2/opt-30b-a100-uvm",
                                      {{"serving.arrivals", "backlog"}, {"serving.batching", "sliced"}});
    const auto findings = validate(offloaded);
    CHECK(std::any_of(findings.begin(), findings.end(), [](const Diagnostic& finding) {
        return finding.severity == Severity::Note &&
               finding.message.find("slices are not laid out in memory tiers") != std::string::npos;
    }));
}
