// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of INF2's layers, against an independent prototype.
#include "engine/base/json.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/draft_steps.h"
#include "engine/schedule/step.h"
#include "engine/techniques/graph_pass.h"
#include "engine/techniques/near_storage.h"
#include "tests/engine/offload_fixtures.h"
#include "tests/places.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Seconds of one kind of work in a layer of decode.
double secondsOf(const LayerFlows& flows, Work work, double context) {
    for (const auto& chain : flows.chains())
        for (const auto& flow : chain.flows())
            if (flow.work == work)
                return flow.seconds.at(context);
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

TEST_CASE("INF2's layers: every term of the first, a middle and the last step") {
    const auto json = readJsonFile(std::string(heteroscape::places::kTestData) + "/inf2_layers.json");
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
            const double context = step.at("s_i").get<double>() + 1.0;
            const auto& terms = step.at("terms_s_per_layer");
            checkTerm(own.cost(context, context).at(context) / layers, terms.at("linear"));
            checkTerm(whole.cost(context, context).at(context), step.at("step_s"));
            if (!system.offloading.near) {
                REQUIRE(flows.chains().size() == 3);
                checkTerm(flows.chains()[0].seconds().at(context), terms.at("storage"));
                checkTerm(flows.chains()[1].seconds().at(context), terms.at("weights_pcie"));
                checkTerm(flows.chains()[2].seconds().at(context), terms.at("cpu_attention"));
                continue;
            }
            const bool late = scenario.techniques[delayedWriteback()].enabled;
            checkTerm(secondsOf(flows, Work::NearStorageAttention, context), terms.at("csd_attention"));
            checkTerm(secondsOf(flows, Work::QkvTransfer, context), terms.at("csd_uplink"));
            checkTerm(secondsOf(flows, Work::KvWrite, context),
                      terms.at(late ? "csd_write_delayed" : "csd_write_sync"));
            checkTerm(chainWith(flows, Work::NearStorageAttention).seconds().at(context), terms.at("t_csd"));
            checkTerm(chainWith(flows, Work::XTransfer).seconds().at(context), terms.at("gpu_pcie"));
            checkTerm(secondsOf(flows, Work::Regenerate, context), terms.at("gpu_regeneration"));
        }
    }
}
