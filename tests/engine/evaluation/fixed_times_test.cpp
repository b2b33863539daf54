// SPDX-License-Identifier: GPL-3.0-or-later
// What a runtime adds to its times (Runtime::costs): counted by hand in steps of every sort, and everywhere a
// step is shown; a published system that rates alone put far too fast.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/search/goal_seek.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/term_check.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kOneMicro = 1e-6;

const CostKind& fixedTimes() {
    return costKinds().at("fixed", "test");
}

/// Sets a fixed time, µs, of every runtime.
Scenario paying(Scenario scenario, std::string_view key, double microseconds) {
    for (auto& node : scenario.nodes)
        if (node.runtime)
            node.runtime->costs[fixedTimes()].quantity(
                static_cast<std::size_t>(fixedTimes().indexOf(key))) = {microseconds * kOneMicro};
    return scenario;
}

Scenario payingAll(Scenario scenario) {
    double microseconds = 1.0;
    for (const auto& parameter : fixedTimes().parameters())
        scenario = paying(std::move(scenario), parameter.spec.key, microseconds += 0.5);
    return scenario;
}

std::vector<std::size_t> accelerators(const Scenario& scenario) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (scenario.nodes[i].runtime && isAccelerator(scenario.nodes[i].device.kind))
            found.push_back(i);
    return found;
}

double stepSeconds(const Scenario& scenario, std::size_t node, Phase phase) {
    const CompiledPool pool(scenario, node);
    const auto compiled = pool.phase(phase);
    const double context = representativeContext(scenario.workload, phase);
    return compiled.step().cost(context, context).at(context);
}

/// Timed by rooflines, floors, instruction streams, L2 panels, tables of an NPU, kernels, servers.
constexpr std::array kWhole{"glitches/a100-7u280",
                            "glitches/8u280",
                            "preserve/llama3-70b-8h100",
                            "preserve/llama3-70b-8npu",
                            "served/gpt-oss-120b-h100",
                            "served/deepseek-v3-8h200-tp8",
                            "preserve/llama3-70b-4npu-measured"};

} // namespace

TEST_CASE("fixed times: a step is longer by what it pays, as it is counted by hand") {
    for (const auto* id : kWhole) {
        CAPTURE(id);
        const auto plain = preset(id);
        for (const auto node : accelerators(plain))
            for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                const CompiledPool pool(plain, node);
                const auto compiled = pool.phase(phase);
                const double before = stepSeconds(plain, node, phase);
                double operators = 0.0, collectives = 0.0, norms = 0.0;
                for (const auto& op : compiled.graph().operators()) {
                    if (isCollective(op.kind))
                        collectives += compiled.machine().collective.devices > 1.0 ? op.repeat : 0.0;
                    else
                        operators += op.repeat;
                    norms += op.kind == OperatorKind::Norm ? op.repeat : 0.0;
                }
                const double ranks = layoutOf(plain.nodes[node]).dp;
                const double requests = plain.workload.batch.value / ranks;
                const double tokens =
                    requests * (phase == Phase::Prefill ? plain.workload.promptTokens.value : 1.0);
                for (const auto& [key, times] :
                     {std::pair{"step_us", 1.0}, std::pair{"layer_us", double(plain.model.layers.value)},
                      std::pair{"sequence_us", requests}, std::pair{"token_us", tokens},
                      std::pair{"operator_us", operators}, std::pair{"hop_us", collectives},
                      std::pair{"norm_us", norms}}) {
                    CAPTURE(key);
                    CHECK(stepSeconds(paying(plain, key, 50), node, phase) - before ==
                          doctest::Approx(50 * kOneMicro * times).epsilon(1e-6));
                }
            }
    }
}

TEST_CASE("fixed times: breakdown, timeline and explanation show what the step takes") {
    auto presets = std::vector<std::string>(kWhole.begin(), kWhole.end());
    for (const auto* id : {"inf2/opt-30b-a100-16csd", "inf2/opt-30b-a100-uvm",
                           "served/llama3-1-405b-16h100-tp8-pp2", "served/qwen3-235b-8u280-4h200"})
        presets.emplace_back(id);
    for (const auto& id : presets) {
        CAPTURE(id);
        const auto plain = preset(id);
        const auto scenario = payingAll(plain);
        const auto before = evaluate(plain), after = evaluate(scenario);
        REQUIRE_MESSAGE(after.feasible, after.reason);
        CHECK(after.metric(Metric::TimePerToken) > before.metric(Metric::TimePerToken));
        CHECK(after.metric(Metric::TimeToFirstToken) > before.metric(Metric::TimeToFirstToken));
        for (const auto node : accelerators(scenario))
            for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                const auto& which = scenario.nodes[node].id;
                const auto rows = breakdown(scenario, which, phase);
                const auto timeline = stepTimeline(scenario, which, phase);
                CHECK(timeline.seconds == doctest::Approx(rows.seconds).epsilon(1e-9));
                double fixed = 0.0;
                for (const auto& segment : timeline.segments)
                    fixed += segment.work == Work::Host ? segment.end - segment.start : 0.0;
                CHECK(fixed > 0.0);
                const auto host = std::find_if(rows.operators.begin(), rows.operators.end(),
                                               [](const OperatorRow& row) { return row.key == "host"; });
                if (after.nodes[node].role != Role::Ffn) {
                    REQUIRE(host != rows.operators.end());
                    CHECK(host->seconds > 0.0);
                }
            }
        for (const auto* metric : {"tpot_s", "ttft_s", "latency_s"}) {
            CAPTURE(metric);
            const auto term = explain(scenario, metric);
            const TermCheck check(term);
            CHECK_MESSAGE(check.problem().empty(), check.problem());
            CHECK(off(term.value(), after.metric(findMetric(metric)->metric)) < 1e-9);
            CHECK(contains(termText(term), "Fixed time, layer"));
            CHECK(contains(termText(term), "Fixed time, operator"));
        }
    }
}

TEST_CASE("fixed times: stages pay for their own layers, and messages between devices for hops") {
    const auto plain = preset("served/llama3-1-405b-16h100-tp8-pp2");
    const auto decode = [](const Scenario& scenario) {
        return evaluate(scenario).metric(Metric::TimePerToken);
    };
    const double layers = plain.model.layers.value;
    CHECK(decode(paying(plain, "layer_us", 30)) - decode(plain) ==
          doctest::Approx(layers * 30 * kOneMicro).epsilon(1e-6));
    CHECK(decode(paying(plain, "hop_us", 30)) > decode(plain) + layers * 30 * kOneMicro);
}

TEST_CASE("fixed times: what bounds a step is them where they are more than the rest") {
    const auto plain = preset("preserve/llama3-70b-8h100");
    REQUIRE(evaluate(plain).nodes[0].decode.bound != Bound::LaunchFloor);
    CHECK(evaluate(paying(plain, "operator_us", 0.001)).nodes[0].decode.bound ==
          evaluate(plain).nodes[0].decode.bound);
    for (const auto* key : {"operator_us", "layer_us", "step_us"}) {
        CAPTURE(key);
        const auto slow = evaluate(paying(plain, key, 1e6));
        CHECK(slow.nodes[0].decode.bound == Bound::LaunchFloor);
        CHECK(slow.bound.bound == Bound::LaunchFloor);
    }
}

TEST_CASE("fixed times: those beside operators are a part of a batch of their own") {
    const auto plain = preset("preserve/llama3-70b-8h100");
    const auto host = [](const Scenario& scenario) {
        double seconds = 0.0;
        for (const auto& part : batchParts(scenario, evaluate(scenario)))
            seconds += part.kind == BatchPart::Kind::Host ? part.seconds : 0.0;
        return seconds;
    };
    CHECK(host(plain) == 0.0);
    CHECK(host(paying(plain, "layer_us", 10)) ==
          doctest::Approx(plain.workload.outputTokens.value * plain.model.layers.value * 10 * kOneMicro)
              .epsilon(1e-6));
    CHECK(host(preset("served/gpt-oss-120b-h100")) > 0.0); // a server's
}

TEST_CASE("fixed times: a simulation steps by them, under servers and without") {
    for (const auto* id : {"glitches/8a100", "served/gpt-oss-120b-h100"}) {
        CAPTURE(id);
        auto plain = presetWith(id, {{"serving.arrivals", "closed_loop"},
                                     {"serving.users", "1"},
                                     {"serving.requests", "3"},
                                     {"workload.batch", "1"},
                                     {"workload.prompt_tokens", "64"},
                                     {"workload.output_tokens", "32"},
                                     {"serving.length_ratio", "1"}});
        const auto tpot = [](const Scenario& scenario) {
            const auto serving = simulate(scenario, evaluate(scenario));
            REQUIRE(serving.ran());
            return serving.result.tpot.sum() / static_cast<double>(serving.result.tpot.count());
        };
        const auto scenario = paying(paying(plain, "layer_us", 40), "linear_us", 10);
        const double steady =
            evaluate(scenario).metric(Metric::TimePerToken) - evaluate(plain).metric(Metric::TimePerToken);
        CHECK(steady > 0.0);
        CHECK(tpot(scenario) - tpot(plain) == doctest::Approx(steady).epsilon(1e-6));
    }
}

TEST_CASE("fixed times: set, swept, sought, saved, calibrated for a device, refused by place and remedy") {
    const auto plain = preset("glitches/a100-7u280");
    const std::string path = "nodes.fpga.runtime.fixed.layer_us";
    const auto scenario = with(plain, path, "12.5");
    const auto again = readScenario(writeScenario(scenario), catalog(), "again.hscape");
    CHECK(again == scenario);
    CHECK(scenarioKey(again) == scenarioKey(scenario));
    CHECK(scenarioKey(scenario) != scenarioKey(plain));
    CHECK(scenarioKey(with(plain, "nodes.fpga.runtime.fixed.norm_us", "12.5")) != scenarioKey(scenario));
    auto cleared = scenario;
    cleared.findNode({"fpga"})->runtime->costs = Costs();
    CHECK(scenarioKey(cleared) == scenarioKey(plain));
    CHECK_FALSE(writeRuntime(*plain.nodes[0].runtime).contains("fixed"));

    CHECK(contains(errorOf([&] { with(plain, path, "-1"); }), path));
    const auto unknown = errorOf([&] { with(plain, "nodes.fpga.runtime.fixed.layers_us", "1"); });
    CHECK(contains(unknown, "layers_us"));
    CHECK(contains(unknown, "hop_us"));
    CHECK(contains(errorOf([&] { with(plain, "nodes.fpga.runtime.fixd", "1"); }), "fixed"));
    auto json = writeRuntime(*scenario.findNode({"fpga"})->runtime);
    json["fixed"]["layer_us"] = -3;
    const auto below = errorOf([&] { readRuntime(json, "own.json"); });
    CHECK(contains(below, "fixed.layer_us"));
    CHECK(contains(below, "from 0"));
    json["fixed"] = {{"layers", 3}};
    CHECK(contains(errorOf([&] { readRuntime(json, "own.json"); }), "layers"));

    Study study;
    study.base = plain;
    study.axes = {parseAxis(plain, catalog(), path + "=0,10,20")};
    const auto swept = evaluateStudy(study);
    const auto& times = swept.find("tpot_s")->values;
    REQUIRE(times.size() == 3);
    CHECK(times[1] - times[0] == doctest::Approx(10 * kOneMicro * plain.model.layers.value).epsilon(1e-9));
    CHECK(times[2] - times[1] == doctest::Approx(times[1] - times[0]).epsilon(1e-9));

    auto entry = writeRuntime(*plain.findNode({"fpga"})->runtime);
    entry["calibrations"] = {{"u280", {{"fixed", {{"step_us", 77}}}}}};
    const auto calibrated = readRuntimeEntry(entry, "own.json").on(catalog().device("u280", "test"));
    CHECK(calibrated.costs[fixedTimes()][0] == doctest::Approx(77e-6));
    auto ideal = catalog().runtime("ideal", "test").base;
    REQUIRE(isIdeal(ideal));
    ideal.costs[fixedTimes()].quantity(0) = {1e-6};
    CHECK_FALSE(isIdeal(ideal)); // no bound any more
}

TEST_CASE("fixed times: Llama 3.1 on Cerebras wafers, which rates alone put hundreds of times too fast") {
    // Published: 1,800 tok/s a user of the 8B and 450 of the 70B, 16-bit weights (Cerebras, "Introducing
    // Cerebras Inference", 2024-08-27), on one and on four CS-3 with 44 GB and 21 PB/s of SRAM each.
    const auto wafers = [](const char* model, double count) {
        Scenario scenario;
        scenario.model = catalog().model(model, "test");
        scenario.workload.promptTokens = {128.0};
        scenario.workload.outputTokens = {128.0};
        scenario.workload.batch = {1.0};
        Node node;
        node.id = {"wafer"};
        node.device = catalog().device("wse-3", "test");
        node.count = {count};
        node.replicas = {1.0};
        node.runtime = catalog().runtime("ideal-operators", "test").on(node.device);
        if (count > 1.0)
            node.pp = {count};
        scenario.nodes.push_back(node);
        if (count > 1.0) {
            Node hub;
            hub.id = {"hub"};
            hub.device = catalog().device("network-switch", "test");
            hub.role = Role::Fabric;
            scenario.nodes.push_back(hub);
            Link link;
            link.id = {"ports"};
            link.from = {"wafer"};
            link.to = {"hub"};
            link.type = catalog().linkType("ethernet-100g", "test");
            scenario.links.push_back(link);
        }
        const auto evaluation = evaluate(scenario);
        REQUIRE_MESSAGE(evaluation.feasible, evaluation.reason);
        return scenario;
    };
    const auto rate = [](const Scenario& scenario) {
        return 1.0 / evaluate(scenario).metric(Metric::TimePerToken);
    };
    const auto small = wafers("llama3-1-8b", 1), large = wafers("llama3-1-70b", 4);
    const double before = rate(small) / 1800.0, beforeLarge = rate(large) / 450.0;
    // The fixed time of a layer that makes the small one right ...
    const double layer = (1.0 / 1800.0 - 1.0 / rate(small)) / small.model.layers.value / kOneMicro;
    const double after = rate(paying(small, "layer_us", layer)) / 1800.0;
    // ... is used for the large one.
    const double afterLarge = rate(paying(large, "layer_us", layer)) / 450.0;
    MESSAGE("8B: ", before, " times too fast; 70B: ", beforeLarge, "; with ", layer, " us a layer: ", after,
            " and ", afterLarge);
    CHECK(before > 300.0);
    CHECK(beforeLarge > 10.0);
    CHECK(after == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(afterLarge < 1.7);
    CHECK(afterLarge > 0.6);
}
