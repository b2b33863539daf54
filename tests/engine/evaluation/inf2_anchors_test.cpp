// SPDX-License-Identifier: GPL-3.0-or-later
// The anchors of INF2's model and the terms of its layers, against an independent prototype.
#include "engine/base/json.h"
#include "engine/evaluation/evaluate.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/draft_steps.h"
#include "engine/schedule/step.h"
#include "engine/techniques/apply.h"
#include "engine/techniques/delayed_writeback.h"
#include "tests/engine/offload_fixtures.h"
#include "tests/places.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct Anchor {
    const char* preset;
    std::vector<std::pair<std::string, std::string>> settings;
    double throughput;
    double prefill;
    double decode;
    double hostShare;
    double xShare;
};

constexpr auto kWithTechniques = "inf2/opt-30b-a100-16csd";

/// Seconds of one kind of work in a layer of decode.
double secondsOf(const LayerFlows& flows, Work work, double keys) {
    for (const auto& chain : flows.chains())
        for (const auto& flow : chain.flows())
            if (flow.work == work)
                return flow.seconds.at(keys);
    return 0.0;
}

const FlowChain& chainWith(const LayerFlows& flows, Work work) {
    for (const auto& chain : flows.chains())
        for (const auto& flow : chain.flows())
            if (flow.work == work)
                return chain;
    FAIL("no such chain");
    return flows.chains().front();
}

void checkTerm(double seconds, const Json& expected) {
    if (expected.is_null())
        return;
    const double value = expected;
    if (value == 0.0)
        CHECK(seconds == 0.0);
    else
        CHECK(off(seconds, value) < 1e-4); // the prototype leaves the gains of norms out
}

Scenario systemOf(const Json& input) {
    const bool a100 = input.at("accelerator") == "A100 40GB";
    auto scenario = inf2System(a100 ? "a100-40gb" : "h100-pcie", input.at("runtime"),
                               input.at("model") == "OPT-30B" ? "opt-30b" : "opt-175b");
    scenario.workload.batch.value = input.at("batch");
    scenario.workload.promptTokens.value = input.at("prompt");
    scenario.workload.outputTokens.value = input.at("output");
    node(scenario, "storage").count.value = input.at("devices");
    node(scenario, "host").device.hostMemory.value =
        input.at("memory_gib").get<double>() * 1024 * 1024 * 1024;
    setTechniques(scenario,
                  {input.at("runtime") == "inf2", input.at("delayed_writeback"), input.at("x_cache") != 0});
    return scenario;
}

} // namespace

TEST_CASE("INF2's anchors: throughput, prefill, decode and shares") {
    const std::vector<Anchor> anchors{
        {"inf2/opt-30b-a100-16ssd", {}, 0.257403, 921.841, 7034.555, 0.15802, 0},
        {kWithTechniques, {{"nodes.storage.device", "nvme-ssd"}}, 0.257403, 921.841, 7034.555, 0.15802, 0},
        {kWithTechniques, {}, 0.688050, 921.841, 2054.685, 0, 0.28467},
        {kWithTechniques,
         {{"techniques.delayed_writeback.enabled", "false"}, {"techniques.x_cache.enabled", "false"}},
         0.487907,
         921.841,
         3275.679,
         0,
         0},
        {"inf2/opt-175b-a100-16csd", {}, 0.142472, 4795.392, 9579.339, 0, 0.02761},
        {"inf2/opt-30b-h100-16ssd",
         {{"model", "opt-175b"}, {"workload", "p32768-d64"}, {"nodes.host.device.host_memory_gib", "256"}},
         0.031931,
         4677.756,
         59460.538,
         0,
         0},
    };
    for (const auto& anchor : anchors) {
        CAPTURE(anchor.preset);
        const auto e = evaluate(presetWith(anchor.preset, anchor.settings));
        REQUIRE(e.feasible);
        CHECK(off(e.metric(Metric::Throughput), anchor.throughput) < 2e-5);
        CHECK(off(e.nodes[0].prefill.totalSeconds, anchor.prefill) < 2e-6);
        CHECK(off(e.nodes[0].decode.totalSeconds, anchor.decode) < 2e-6);
        CHECK(std::fabs(e.metric(Metric::KvHostShare) - anchor.hostShare) < 1e-5);
        CHECK(std::fabs(e.metric(Metric::XCacheShare) - anchor.xShare) < 1e-5);
    }
    const auto spilled = evaluate(presetWith(anchors.back().preset, anchors.back().settings));
    CHECK(off(spilled.nodes[0].offload.tier(Tier::Storage).weights, 193.53e9) < 1e-4);
    CHECK(off(spilled.metric(Metric::WeightsStorage), 193.53e9) < 1e-4);
}

TEST_CASE("INF2's anchors: energy of a token") {
    const auto joules = [](const char* id) { return evaluate(preset(id)).metric(Metric::EnergyPerToken); };
    CHECK(off(joules("inf2/opt-30b-a100-16ssd"), 4001.5) < 1e-4);
    CHECK(off(joules("inf2/opt-30b-a100-16csd"), 1827.4) < 1e-4);
    CHECK(off(joules("inf2/opt-30b-h100-16ssd"), 3992.6) < 1e-4);
    CHECK(off(joules("inf2/opt-30b-h100-16csd"), 1472.7) < 1e-4);
}

TEST_CASE("INF2's anchors: Accelerate runs 30B at 1K on the H100, larger models fail") {
    const auto base = presetWith("inf2/opt-30b-h100-accelerate", {{"workload.prompt_tokens", "1024"}});
    CHECK(base.workload.batch.value == 32);
    const auto e = evaluate(base);
    REQUIRE(e.feasible);
    CHECK(off(e.metric(Metric::Throughput), 2.759) < 1e-3);
    for (const auto* model : {"opt-66b", "opt-175b"}) {
        const auto larger = evaluate(with(base, "model", model));
        CHECK_FALSE(larger.feasible);
        CHECK(larger.nodes[0].shortfall->tier == Tier::Device);
    }
    CHECK(off(evaluate(with(base, "model", "opt-66b")).nodes[0].offload.kvBytes, 82.1e9) < 1e-3);
}

TEST_CASE("INF2's cliffs: its gain where the KV cache just misses the host, without a share for the CPU") {
    const auto gain = [](const char* gpu, const char* model, const char* tokens, const char* gib) {
        const auto near = presetWith("inf2/llama2-7b-h100-16csd", {{"nodes.gpu.device", gpu},
                                                                   {"model", model},
                                                                   {"workload.prompt_tokens", tokens},
                                                                   {"nodes.host.device.host_memory_gib", gib},
                                                                   {"techniques.host_kv.enabled", "false"}});
        const auto base = with(near, "nodes.storage.device", "nvme-ssd");
        return evaluate(near).metric(Metric::Throughput) / evaluate(base).metric(Metric::Throughput);
    };
    CHECK(off(gain("h100-pcie", "llama2-7b", "16384", "1024"), 0.5395081) < 1e-3);
    CHECK(off(gain("a100-40gb", "llama2-7b", "8192", "512"), 0.4389645) < 1e-3);
    CHECK(off(gain("h100-pcie", "llama2-7b", "8192", "512"), 0.5190122) < 1e-3);
    CHECK(off(gain("a100-40gb", "llama2-70b", "32768", "1024"), 0.9728421) < 1e-3);
}

TEST_CASE("INF2's Fig 12: OPT-66B on the A100, weights on SSDs, batches of 1 to 32") {
    struct Line {
        const char* runtime;
        double forced;
        std::vector<double> throughput; // at batch 1, 2, 4, 8, 16, 32
    };
    const std::vector<Line> lines{{"flexgen", 0.0, {0.157, 0.274, 0.301, 0.177, 0.147, 0.135}},
                                  {"flexgen", 0.5, {0.078, 0.145, 0.181, 0.148, 0.136, 0.130}},
                                  {"flexgen", 1.0, {0.040, 0.078, 0.129, 0.127, 0.126, 0.126}},
                                  {"inf2", 0.0, {0.157, 0.274, 0.359, 0.360, 0.361, 0.336}},
                                  {"inf2", 0.5, {0.078, 0.145, 0.255, 0.360, 0.361, 0.344}},
                                  {"inf2", 1.0, {0.040, 0.078, 0.145, 0.256, 0.361, 0.352}}};
    for (const auto& line : lines) {
        auto scenario = inf2System("a100-40gb", line.runtime, "opt-66b");
        quantityOf(*node(scenario, "gpu").runtime, "offload.weights_on_storage").value = line.forced;
        for (std::size_t i = 0; i < line.throughput.size(); ++i) {
            CAPTURE(line.runtime);
            CAPTURE(line.forced);
            CAPTURE(i);
            scenario.workload.batch.value = std::pow(2.0, static_cast<double>(i));
            // Half a unit of the last digit printed.
            CHECK(std::fabs(evaluate(scenario).metric(Metric::Throughput) - line.throughput[i]) <= 0.00051);
        }
    }
}

TEST_CASE("INF2's layers: every term of the first, a middle and the last step") {
    const auto json = readJsonFile(std::string(heteroscape::test::kTestData) + "/inf2_layers.json");
    REQUIRE(json.at("cases").size() == 5);
    for (const auto& expected : json.at("cases")) {
        CAPTURE(expected.at("name").get<std::string>());
        const auto scenario = systemOf(expected.at("input"));
        const Offloaded system(scenario);
        const auto& plan = system.offloading.plan;
        const auto& memory = expected.at("memory_plan");
        CHECK(off(plan.weights, expected.at("model_bytes").at("weights_B")) < 1e-4);
        CHECK(plan.kvToken == expected.at("model_bytes").at("kv_B_per_token_layer"));
        CHECK(plan.xToken == expected.at("model_bytes").at("x_B_per_token_layer"));
        CHECK(off(plan.staging, memory.at("staging_B")) < 1e-12);
        CHECK(off(plan.kv, memory.at("kv_total_B")) < 1e-12);
        CHECK(off(plan.x, memory.at("x_total_B")) < 1e-12);
        CHECK(std::fabs(plan.usable - memory.at("usable_B").get<double>()) < 1e-4 * plan.weights);

        const auto& node = scenario.nodes[0];
        const double layers = scenario.model.layers.value;
        const OperatorGraph prompts(scenario.model, phaseShape(scenario, node, Phase::Prefill));
        const double prompt = scenario.workload.promptTokens.value;
        const auto& prefill = expected.at("prefill_terms_s_per_layer");
        checkTerm(Step(prompts, system.machine, Phase::Prefill).cost(prompt, prompt).at(prompt) / layers,
                  prefill.at("compute"));
        const auto chains = system.offloading.prefill.chains();
        REQUIRE(chains.size() == 2);
        checkTerm(chains[0].seconds().at(prompt), prefill.at("weights_pcie"));
        checkTerm(chains[1].seconds().at(prompt), prefill.at("storage"));

        const CompiledPhase alone(scenario, node, Phase::Decode, system.machine, nullptr);
        const CompiledPhase offloaded(scenario, node, Phase::Decode, system.machine, &system.offloading);
        const auto& own = alone.step();
        const auto& whole = offloaded.step();
        const auto& flows = system.offloading.decode;
        REQUIRE(expected.at("steps").size() == 3);
        for (const auto& step : expected.at("steps")) {
            const double keys = step.at("s_i").get<double>() + 1.0;
            const auto& terms = step.at("terms_s_per_layer");
            checkTerm(own.cost(keys, keys).at(keys) / layers, terms.at("linear"));
            checkTerm(whole.cost(keys, keys).at(keys), step.at("step_s"));
            if (!system.offloading.near) {
                REQUIRE(flows.chains().size() == 3);
                checkTerm(flows.chains()[0].seconds().at(keys), terms.at("storage"));
                checkTerm(flows.chains()[1].seconds().at(keys), terms.at("weights_pcie"));
                checkTerm(flows.chains()[2].seconds().at(keys), terms.at("cpu_attention"));
                continue;
            }
            const bool late = scenario.techniques[delayedWriteback()].enabled;
            checkTerm(secondsOf(flows, Work::NearStorageAttention, keys), terms.at("csd_attention"));
            checkTerm(secondsOf(flows, Work::QkvTransfer, keys), terms.at("csd_uplink"));
            checkTerm(secondsOf(flows, Work::KvWrite, keys),
                      terms.at(late ? "csd_write_delayed" : "csd_write_sync"));
            checkTerm(chainWith(flows, Work::NearStorageAttention).seconds().at(keys), terms.at("t_csd"));
            checkTerm(chainWith(flows, Work::XTransfer).seconds().at(keys), terms.at("gpu_pcie"));
            checkTerm(secondsOf(flows, Work::Regenerate, keys), terms.at("gpu_regeneration"));
        }
    }
}
