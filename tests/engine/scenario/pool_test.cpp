// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const char* const kPreset = "preserve/llama3-405b-32";

/// The findings about one subject.
std::vector<Diagnostic> about(const Scenario& scenario, const std::string& subject) {
    std::vector<Diagnostic> found;
    for (const auto& diagnostic : validate(scenario))
        if (diagnostic.subject == subject)
            found.push_back(diagnostic);
    return found;
}

/// Sets a path from text, checks what parameterText() says then, and takes it back exactly.
void checkSetAndBack(const Scenario& scenario, const std::string& path, const std::string& text,
                     const std::string& before) {
    CAPTURE(path);
    auto copy = scenario;
    CHECK(parameterText(copy, findParameter(copy, catalog(), path)) == before);
    const auto inverse = applyEdit(copy, setEdit(copy, catalog(), path, text));
    CHECK(parameterText(copy, findParameter(copy, catalog(), path)) == text);
    CHECK(scenarioKey(copy) != scenarioKey(scenario));
    CHECK_FALSE(copy == scenario);
    const auto redo = applyEdit(copy, inverse);
    CHECK(copy == scenario);
    applyEdit(copy, redo);
    CHECK(parameterText(copy, findParameter(copy, catalog(), path)) == text);
}

} // namespace

TEST_CASE("replicas: not set, every device alone; set, count / replicas devices share a copy") {
    auto scenario = preset(kPreset);
    const auto node = [&]() -> const Node& { return *scenario.findNode({"npu"}); };
    CHECK(tensorParallel(node()) == 32);
    CHECK(replicas(node()) == 1);
    scenario = with(scenario, "nodes.npu.replicas", "4");
    CHECK(tensorParallel(node()) == 8);
    CHECK(replicas(node()) == 4);
    scenario = with(scenario, "nodes.npu.replicas", "none");
    CHECK_FALSE(node().replicas.isSet());
    CHECK(tensorParallel(node()) == 1);
    CHECK(replicas(node()) == 32);
    CHECK_FALSE(hasErrors(validate(scenario)));
    // Not set and as many as devices are the same system.
    CHECK(scenarioKey(scenario) == scenarioKey(with(scenario, "nodes.npu.replicas", "32")));
    CHECK(scenarioKey(scenario) != scenarioKey(with(scenario, "nodes.npu.replicas", "16")));
}

TEST_CASE("what a remedy sets or unsets has the node's name and the property's label") {
    auto scenario = preset(kPreset);
    auto& node = *scenario.findNode({"npu"});
    node.device.memoryBandwidth = {};
    const auto remedy = [&scenario] {
        const auto found = about(scenario, "nodes.npu.device.memory_bandwidth_gbps");
        REQUIRE(found.size() == 1);
        return found[0].remedy;
    };
    const std::string path = " (nodes.npu.device.memory_bandwidth_gbps)";
    CHECK(remedy() == "Set NPU of PRESERVE, Table 2 memory bandwidth" + path);
    node.name = "Left rack";
    CHECK(remedy() == "Set Left rack memory bandwidth" + path);
}

TEST_CASE("a pool without a link to a switch or host is an error at the node") {
    auto scenario = preset(kPreset);
    scenario.links.clear();
    const auto found = about(scenario, "npu");
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == Severity::Error);
    CHECK(found[0].message.find("have no link to sum up over") != std::string::npos);
    CHECK_FALSE(evaluate(scenario).feasible);
    CHECK_FALSE(hasErrors(validate(with(scenario, "nodes.npu.replicas", "none"))));
    // A link to another accelerator is none over which a pool's own devices reach each other.
    scenario = preset(kPreset);
    auto other = *scenario.findNode({"npu"});
    other.id.value = "other";
    scenario.nodes.push_back(other);
    scenario.links[0].to.value = "other";
    CHECK(about(scenario, "npu").size() == 1);
    CHECK(about(scenario, "other").size() == 1);
}

TEST_CASE("the allreduce convention is set by name and taken back") {
    const auto scenario = preset(kPreset);
    checkSetAndBack(scenario, "nodes.npu.runtime.allreduce", "ring", "literal");
    const auto ring = with(scenario, "nodes.npu.runtime.allreduce", "ring");
    CHECK(ring.findNode({"npu"})->runtime->allReduce == AllReduceConvention::Ring);
    CHECK(ring.findNode({"npu"})->device == scenario.findNode({"npu"})->device);
    CHECK(with(ring, "nodes.npu.runtime.allreduce", "literal") == scenario);
    CHECK_THROWS_AS(setEdit(scenario, catalog(), "nodes.switch.runtime.allreduce", "ring"), Error);
    CHECK(evaluate(ring).metric(Metric::AllReduceTime) > evaluate(scenario).metric(Metric::AllReduceTime));
}

TEST_CASE("the switches and the budget of L2 prefetch are set by path and taken back") {
    const auto scenario = preset(kPreset);
    checkSetAndBack(scenario, "techniques.l2_prefetch.enabled", "false", "true");
    checkSetAndBack(scenario, "techniques.l2_prefetch.weights", "false", "true");
    checkSetAndBack(scenario, "techniques.l2_prefetch.kv", "false", "true");
    checkSetAndBack(scenario, "techniques.l2_prefetch.budget", "0.5", "1");
    checkSetAndBack(scenario, "nodes.npu.replicas", "2", "1");
    const auto cleared = with(scenario, "techniques.l2_prefetch.kv", "false");
    CHECK(cleared.techniques[l2Prefetch()].enabled); // only that switch
    CHECK(cleared.techniques[l2Prefetch()].isOn(kPrefetchWeights));
    auto copy = scenario;
    CHECK_THROWS_AS(applyEdit(copy, SetTechnique{"l2_prefetch", true, "heads"}), Error);
    CHECK(copy == scenario);
    CHECK(describe(scenario, SetTechnique{"l2_prefetch", false, "kv"}) == "Switch off prefetch KV cache");
}

TEST_CASE("what PRESERVE needs of a design survives JSON: replicas, conventions, layers, switches") {
    for (const auto* id : {kPreset, "preserve/llama3-70b-4npu-measured"}) {
        auto scenario = preset(id);
        scenario = with(scenario, "nodes.npu.replicas", "2");
        scenario = with(scenario, "nodes.npu.runtime.allreduce", "ring");
        scenario = with(scenario, "techniques.l2_prefetch.weights", "false");
        scenario = with(scenario, "techniques.l2_prefetch.budget", "0.25");
        scenario = with(scenario, "model", "mixtral-8x22b");
        const auto json = writeScenario(scenario);
        CHECK(json["formatVersion"] == kScenarioFormatVersion);
        CHECK(json["nodes"][0]["replicas"] == 2);
        CHECK(json["nodes"][0]["runtime"]["allreduce"] == "ring");
        CHECK(json["nodes"][0]["runtime"]["operators"] == "fused");
        CHECK(json["techniques"]["l2_prefetch"]["weights"] == false);
        CHECK(json["techniques"]["l2_prefetch"]["kv"] == true);
        CHECK(json["techniques"]["l2_prefetch"]["budget"] == 0.25);
        CHECK(json["model"]["experts"]["value"] == 8);
        const auto again = readScenario(parseJson(scenarioText(scenario), "f"), Catalog{}, "f");
        CHECK(again == scenario);
        CHECK(scenarioKey(again) == scenarioKey(scenario));
    }
    const auto good = writeScenario(preset(kPreset));
    const auto message = [&](const std::string& pointer, const Json& value) {
        auto bad = good;
        bad[Json::json_pointer(pointer)] = value;
        return errorOf([&] { readScenario(bad, catalog(), "d"); });
    };
    CHECK(message("/nodes/0/replicas", 0).find("d.nodes[0].replicas: 0 is not allowed") == 0);
    CHECK(message("/nodes/0/runtime/allreduce", "star").find("d.nodes[0].runtime.allreduce") == 0);
    CHECK(message("/nodes/0/runtime/operators", "lazy").find("Allowed: eager, fused") != std::string::npos);
    CHECK(message("/techniques/l2_prefetch/kv", 1).find("d.techniques.l2_prefetch.kv: expected true") == 0);
    CHECK(message("/techniques/l2_prefetch/budget", 2).find("d.techniques.l2_prefetch.budget: 2") == 0);
    CHECK(message("/techniques/l2_prefetch/heads", true).find("d.techniques.l2_prefetch.heads") == 0);
}

TEST_CASE("a named workload without a batch keeps the design's own") {
    auto scenario = with(preset(kPreset), "workload.batch", "7");
    const auto batch = scenario.workload.batch;
    CHECK_FALSE(catalog().workload("s2k", "").batch.isSet());
    const auto inverse = applyEdit(scenario, setEdit(scenario, catalog(), "workload", "s2k"));
    CHECK(scenario.workload.id == "s2k");
    CHECK(scenario.workload.batch == batch);
    CHECK(scenario.workload.promptTokens.value + scenario.workload.outputTokens.value == 2048);
    applyEdit(scenario, inverse);
    CHECK(scenario.workload.promptTokens.value == 5461);
    // One with a batch brings it.
    REQUIRE(catalog().workload("p512-d128", "").batch.isSet());
    CHECK(with(scenario, "workload", "p512-d128").workload.batch.value ==
          catalog().workload("p512-d128", "").batch.value);
    // And a file that names it without saying a batch has one request at a time.
    auto json = writeScenario(scenario);
    json["workload"] = "s2k";
    CHECK(readScenario(json, catalog(), "f").workload.batch.value == 1);
}
