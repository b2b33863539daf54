// SPDX-License-Identifier: GPL-3.0-or-later
// Systems that serve models of layer groups: layouts, windows that fill up on the way, simulation, timeline.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/service_tables.h"
#include "engine/evaluation/timeline.h"
#include "engine/operators/layer_memory.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/scenario_json.h"
#include "engine/schedule/compiled_pool.h"

#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// Eight H200 of one server.
Scenario server(const std::string& model, Values more = {}) {
    Values values{{"nodes.gpu.device", "h200-sxm"}, {"model", model},
                  {"nodes.gpu.runtime", "ideal"},   {"techniques.l2_prefetch.enabled", "false"},
                  {"workload.batch", "64"},         {"workload.prompt_tokens", "2048"},
                  {"workload.output_tokens", "512"}};
    values.insert(values.end(), more.begin(), more.end());
    return presetWith("preserve/llama3-70b-8h100", values);
}

std::size_t gpuOf(const Scenario& scenario) {
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (scenario.nodes[i].runtime)
            return i;
    FAIL("no accelerator");
    return 0;
}

} // namespace

TEST_CASE("every layered model that fits is served by eight GPUs of a server, by heads and by requests") {
    for (const auto& model : catalog().models) {
        if (model.isUniform())
            continue;
        for (const bool byRequests : {false, true}) {
            CAPTURE(model.id);
            CAPTURE(byRequests);
            Values values{{"workload.batch", "16"}};
            if (byRequests)
                values.insert(values.end(), {{"nodes.gpu.dp", "8"}});
            if (!model.isMixture() && byRequests)
                values.emplace_back("nodes.gpu.ep", "1");
            const auto scenario = server(model.id, values);
            CHECK_FALSE(hasErrors(validate(scenario)));
            const auto e = evaluate(scenario);
            const auto& node = e.nodes[gpuOf(scenario)];
            CHECK(std::isfinite(node.prefill.seconds));
            CHECK(node.prefill.seconds > node.decode.seconds);
            CHECK(node.decode.seconds > 0.0);
            if (!e.feasible)
                CHECK(node.weightBytes + node.kvBytes > 141e9);
        }
    }
}

TEST_CASE("latent attention: ranks with requests of their own hold a part of the caches, ranks by heads all "
          "of them") {
    const auto heads = server("deepseek-v3");
    const auto requests = with(heads, "nodes.gpu.dp", "8");
    const auto gpu = gpuOf(heads);
    const auto byHeads = evaluate(heads).nodes[gpu];
    const auto byRequests = evaluate(requests).nodes[gpu];
    CHECK(off(byHeads.kvBytes, 8.0 * byRequests.kvBytes) < 1e-12);
    CHECK(byRequests.weightBytes > byHeads.weightBytes); // attention whole on each
    const auto& model = heads.model;
    CHECK(byHeads.weightBytes == rankWeightBytes(model, layoutOf(heads.nodes[gpu]), 2.0));
    CHECK(layoutOf(requests.nodes[gpu]).ep == 8.0);
    CHECK(layoutOf(requests.nodes[gpu]).tp == 1.0);
    CHECK(degreesText(layoutOf(requests.nodes[gpu])) == "DP 8, EP 8");
    CHECK(degreesText(layoutOf(heads.nodes[gpu])) == "TP 8");
}

TEST_CASE("fewer requests than attention ranks: a step is that of a rank that has one") {
    const auto scenario = server("deepseek-v3", {{"nodes.gpu.dp", "8"}, {"workload.batch", "1"}});
    const auto gpu = gpuOf(scenario);
    const auto one = evaluate(scenario).nodes[gpu].decode.seconds;
    const auto eight = evaluate(with(scenario, "workload.batch", "8")).nodes[gpu].decode.seconds;
    CHECK(one <= eight); // fewer experts are met
    const CompiledPool pool(scenario, gpu);
    const auto phase = pool.phase(Phase::Decode);
    for (const auto& op : phase.graph().operators())
        if (op.key == "o_proj")
            CHECK(op.gemm.rows == 1.0);
}

namespace {

/// Seconds of a stage alone and of a microbatch through all stages, as graphs of their own say.
struct StageTimes {
    double pass;
    double fullest;
};

StageTimes stageTimes(const Scenario& scenario, Phase phase, double context) {
    const auto& node = scenario.nodes[gpuOf(scenario)];
    const auto machine = machineOf(scenario, node);
    auto shape = phaseShape(scenario, node, phase);
    shape.context = context;
    const auto seconds = [&](bool all) {
        shape.allStages = all;
        const OperatorGraph graph(scenario.model, shape);
        return CompiledPhase(graph, machine).step().cost(context, context).at(context);
    };
    return {seconds(true), seconds(false)};
}

} // namespace

TEST_CASE("a pipeline of stages takes what its slowest stage and its microbatches ask") {
    for (const char* id : {"deepseek-v3", "gemma-3-27b"})
        for (const double stages : {2.0, 4.0})
            for (const double microbatches : {1.0, 2.0, 4.0, 8.0}) {
                CAPTURE(id);
                CAPTURE(stages);
                CAPTURE(microbatches);
                const auto scenario = server(id, {{"nodes.gpu.pp", std::to_string(stages)},
                                                  {"nodes.gpu.microbatches", std::to_string(microbatches)}});
                CHECK_FALSE(hasErrors(validate(scenario)));
                const CompiledPool pool(scenario, gpuOf(scenario));
                const auto prefill = stageTimes(scenario, Phase::Prefill, 2048.0);
                CHECK(off(pool.phase(Phase::Prefill).totalSeconds(scenario.workload),
                          prefill.pass + (microbatches - 1.0) * prefill.fullest) < 1e-12);
                const auto decode = pool.phase(Phase::Decode);
                const auto times = stageTimes(scenario, Phase::Decode, 2304.0);
                const double step = decode.cost(2304.0, 2304.0).at(2304.0);
                CHECK(off(step, std::max(times.pass, microbatches * times.fullest)) < 1e-12);
                // What is shared out, drawn and explained is the same step.
                for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                    const auto& gpu = scenario.nodes[gpuOf(scenario)].id;
                    CHECK(off(breakdown(scenario, gpu, phase).seconds,
                              stepTimeline(scenario, gpu, phase).seconds) < 1e-9);
                    const auto compiled = pool.phase(phase);
                    CHECK(off(compiled.explainTotal(scenario.workload).value(),
                              compiled.totalSeconds(scenario.workload)) < 1e-9);
                }
            }
}

TEST_CASE("a step of a pipeline sends between its stages, and says where") {
    const auto scenario = server("deepseek-v3", {{"nodes.gpu.pp", "4"}});
    const auto timeline = stepTimeline(scenario, scenario.nodes[gpuOf(scenario)].id, Phase::Decode);
    std::vector<int> after;
    for (const auto& segment : timeline.segments)
        if (segment.key == "stage_send")
            after.push_back(segment.layer);
    CHECK(after == std::vector<int>{15, 30, 45, -1}); // 61 layers; the last hands its tokens to the first
    CHECK(degreesText(layoutOf(scenario.nodes[gpuOf(scenario)])) == "TP 2, PP 4");
}

TEST_CASE("prompt ranks cut the work of a prefill, and none of the cache") {
    const auto heads = server("deepseek-v3", {{"nodes.gpu.ep", "8"}});
    const auto prompts = with(heads, "nodes.gpu.cp", "8");
    const auto gpu = gpuOf(heads);
    CHECK(layoutOf(prompts.nodes[gpu]).tp == 1.0);
    CHECK(evaluate(prompts).nodes[gpu].kvBytes == evaluate(heads).nodes[gpu].kvBytes);
    const auto one = with(prompts, "nodes.gpu.cp", "1");
    CHECK(layoutOf(one.nodes[gpu]).tp == 8.0);
    const CompiledPool pool(prompts, gpu);
    const auto prefill = pool.phase(Phase::Prefill);
    std::vector<double> rows;
    for (const auto& op : prefill.graph().operators())
        if (op.key == "o_proj")
            rows.push_back(op.gemm.rows);
    REQUIRE(!rows.empty());
    for (const auto value : rows)
        CHECK(value == 64.0 * 2048.0 / 8.0);
}

TEST_CASE("a decode through a window that fills up is the sum of its steps") {
    // gpt-oss: windows of 128. From 100 tokens to 400.
    const auto scenario =
        server("gpt-oss-120b", {{"workload.prompt_tokens", "100"}, {"workload.output_tokens", "300"}});
    const auto gpu = gpuOf(scenario);
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    const CompiledPool pool(scenario, gpu);
    double sum = 0.0;
    for (double context = 101; context <= 400; ++context) {
        auto shape = phaseShape(scenario, scenario.nodes[gpu], Phase::Decode);
        shape.context = context;
        const CompiledPhase step(scenario, scenario.nodes[gpu], shape, pool.machine());
        sum += step.step().cost(context, context).at(context);
    }
    CHECK(off(e.nodes[gpu].decode.totalSeconds, sum) < 1e-12);
    // What explains it adds up to it.
    const auto decode = pool.phase(Phase::Decode);
    CHECK(off(decode.explainTotal(scenario.workload).value(), sum) < 1e-9);
}

TEST_CASE("the timeline of layers that differ is as long as the step, and has every layer once") {
    for (const char* id : {"deepseek-v3", "gpt-oss-120b", "qwen3-next-80b-a3b", "llama-4-maverick"})
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            CAPTURE(id);
            const auto scenario = server(id);
            const auto gpu = gpuOf(scenario);
            const auto timeline = stepTimeline(scenario, scenario.nodes[gpu].id, phase);
            const auto rows = breakdown(scenario, scenario.nodes[gpu].id, phase);
            CHECK(off(timeline.seconds, rows.seconds) < 1e-9);
            double layers = 0.0;
            for (const auto& segment : timeline.segments)
                if (segment.key == "o_proj" && segment.lane != Lane::Memory)
                    ++layers;
            CHECK(layers == scenario.model.layers.value);
        }
}

TEST_CASE("what devices send is an allreduce by name only where it is one") {
    const auto sent = [](const Scenario& scenario) {
        std::map<std::string, Work> works;
        for (const auto& segment :
             stepTimeline(scenario, scenario.nodes[gpuOf(scenario)].id, Phase::Decode).segments)
            if (segment.lane == Lane::Network) {
                CHECK(segment.bytes > 0.0);
                works[std::string(segment.key)] = segment.work;
            }
        return works;
    };
    const auto byHeads = sent(server("deepseek-v3"));
    CHECK(byHeads.at("attention_allreduce") == Work::AllReduce);
    CHECK(byHeads.at("logits_gather") == Work::Collective);
    const auto byRequests = sent(server("deepseek-v3", {{"nodes.gpu.dp", "8"}, {"nodes.gpu.ep", "8"}}));
    CHECK(byRequests.at("dispatch") == Work::Collective);
    CHECK(byRequests.at("combine") == Work::Collective);
    for (const auto& [key, work] : byRequests)
        CHECK(work == Work::Collective);
}

TEST_CASE("a chunk of a prompt beside decodes sends what a chunk of as many rows sends") {
    // A link so slow that collectives are the step: dense layers and mixtures each have their own.
    auto scenario = server("deepseek-v3");
    for (auto& link : scenario.links)
        link.type.bandwidth.value = 1e6;
    ServiceTables tables(scenario, gpuOf(scenario), {256.0, 256.0, 512.0}, 1.0);
    const double beside = tables.chunk(256.0, 0.0, {64.0, 256.0}).whole;
    const double rows = tables.chunk(320.0, 0.0, {0.0, 0.0}).whole;
    // Each of the 64 decodes has logits of its own to gather.
    const auto machine = machineOf(scenario, scenario.nodes[gpuOf(scenario)]);
    Operator gather;
    gather.kind = OperatorKind::AllGather;
    const double logits = machine.collective.transferSeconds(gather, 64.0 * scenario.model.vocab.value *
                                                                         machine.activationBytes);
    CHECK(off(beside - logits, rows) < 1e-3);
}

TEST_CASE("a design of a layered model is saved with its groups, and opens again") {
    auto scenario = server("glm-5", {{"nodes.gpu.dp", "4"}, {"nodes.gpu.ep", "8"}});
    CHECK(readScenario(writeScenario(scenario), catalog(), "again") == scenario);
    const auto key = scenarioKey(scenario);
    scenario.model.groups[0].figures.quantity(0).value /= 2.0;
    CHECK(scenarioKey(scenario) != key);
}
