// SPDX-License-Identifier: GPL-3.0-or-later
// What follows for a technique from a file of its own: nothing here but ids names the toy.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/scenario/technique_targets.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/study/study.h"
#include "engine/techniques/graph_pass.h"
#include "tests/engine/fixtures.h"
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const Technique& toy() {
    return techniqueOf("toy_weight_reuse");
}

constexpr auto kPreset = "glitches/a100-7u280";

Scenario switchedOn() {
    return presetWith(kPreset, {{"techniques.toy_weight_reuse.enabled", "true"},
                                {"techniques.toy_weight_reuse.kept", "0.25"},
                                {"techniques.toy_weight_reuse.head", "true"}});
}

} // namespace

TEST_CASE("a technique in a file of its own is among the parameters, and old designs do not have it on") {
    const auto plain = preset(kPreset);
    CHECK_FALSE(plain.techniques.isOn(toy()));
    CHECK(plain.techniques[toy()][0] == 0.5);
    std::vector<std::string> paths;
    for (const auto& parameter : listParameters(plain, catalog()))
        if (parameter.path.starts_with("techniques.toy_weight_reuse."))
            paths.push_back(parameter.path);
    CHECK(paths == std::vector<std::string>{"techniques.toy_weight_reuse.enabled",
                                            "techniques.toy_weight_reuse.head",
                                            "techniques.toy_weight_reuse.kept"});
    CHECK_THROWS_AS(with(plain, "techniques.toy_weight_reuse.kept", "2"), Error);
    CHECK(errorOf([&] { with(plain, "techniques.toys.enabled", "true"); }).find("toy_weight_reuse") !=
          std::string::npos);
}

TEST_CASE("a technique in a file of its own is read and written") {
    const auto scenario = switchedOn();
    const auto json = writeScenario(scenario);
    CHECK(json["techniques"]["toy_weight_reuse"]["kept"] == 0.25);
    CHECK(json["techniques"]["toy_weight_reuse"]["head"] == true);
    const auto again = readScenario(json, catalog(), "toy.hscape");
    CHECK(again == scenario);
    CHECK(scenarioKey(again) == scenarioKey(scenario));
    CHECK(scenarioKey(scenario) != scenarioKey(preset(kPreset)));
    CHECK(scenarioKey(with(scenario, "techniques.toy_weight_reuse.kept", "0.5")) != scenarioKey(scenario));
    auto unknown = json;
    unknown["techniques"]["nothing_such"] = {{"enabled", true}};
    const auto error = errorOf([&] { readScenario(unknown, catalog(), "toy.hscape"); });
    CHECK(error.find("nothing_such") != std::string::npos);
    CHECK(error.find("toy_weight_reuse") != std::string::npos);
}

TEST_CASE("the pass of a technique in a file of its own is run, and changes what it declares") {
    const auto plain = preset(kPreset);
    const auto scenario = switchedOn();
    const auto& node = *scenario.findNode({"fpga"});
    const PassContext context{scenario, node, Phase::Decode};
    const auto passes = passesOn(context);
    REQUIRE(!passes.empty());
    CHECK(passes.back() == toy().pass());
    OperatorGraph graph(scenario.model, phaseShape(scenario, node, Phase::Decode));
    const double before = graph.sums().weights;
    applyChecked(*toy().pass(), graph, context);
    CHECK(off(graph.sums().weights, 0.25 * before) < 1e-12); // every matrix belongs to a linear operator

    const auto with = evaluate(scenario);
    const auto without = evaluate(plain);
    CHECK(with.metric(Metric::TimePerToken) < without.metric(Metric::TimePerToken));
    CHECK(with.metric(Metric::TimeToFirstToken) <= without.metric(Metric::TimeToFirstToken));
    const auto bytes = [](const Scenario& of) {
        double sum = 0.0;
        for (const auto& row : breakdown(of, {"fpga"}, Phase::Decode).operators)
            if (row.key == "q_proj")
                sum += row.bytes;
        return sum;
    };
    CHECK(bytes(scenario) < 0.5 * bytes(plain));
    CHECK(stepTimeline(scenario, {"fpga"}, Phase::Decode).seconds <
          stepTimeline(plain, {"fpga"}, Phase::Decode).seconds);
}

TEST_CASE("a technique in a file of its own is compared, refused, described and swept") {
    const auto scenario = switchedOn();
    const auto ids = scheduleTechniques(scenario, {"fpga"});
    CHECK(std::find(ids.begin(), ids.end(), toy().id()) != ids.end());
    CHECK_FALSE(withoutTechnique(scenario, toy().id()).techniques.isOn(toy()));
    CHECK_FALSE(withoutTechnique(scenario).techniques.isOn(toy()));
    const auto gains = techniqueGains(scenario);
    const auto gain =
        std::find_if(gains.begin(), gains.end(), [](const auto& one) { return one.id == toy().id(); });
    REQUIRE(gain != gains.end());
    CHECK(gain->timePerToken > 1.0);

    const TechniqueTargets targets(scenario);
    CHECK(targets.refusal(toy(), NodeId{"fpga"}).empty());
    CHECK(targets.refusal(toy(), NodeId{"host"}).find("drop it on an accelerator") != std::string::npos);
    CHECK(targets.refusal(toy(), scenario.links.front().id) ==
          "Toy weight reuse changes nodes, not links: drop it on a node");
    const auto on = targets.on(NodeId{"fpga"});
    CHECK(std::find(on.begin(), on.end(), &toy()) != on.end());
    CHECK(describe(scenario, SetTechnique{"toy_weight_reuse", false}) == "Switch off toy weight reuse");

    Study study{"Toy", scenario, {}};
    study.axes.push_back(parseAxis(scenario, catalog(), "techniques.toy_weight_reuse.kept=0.25,0.5,1"));
    checkStudy(study);
    PointSetter points(study);
    std::vector<double> times;
    for (std::size_t i = 0; i < study.pointCount(); ++i)
        times.push_back(evaluate(points.at(i)).metric(Metric::TimePerToken));
    CHECK(times[0] < times[1]);
    CHECK(times[1] < times[2]);
    CHECK(times[2] == evaluate(preset(kPreset)).metric(Metric::TimePerToken));
}
