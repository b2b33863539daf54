// SPDX-License-Identifier: GPL-3.0-or-later
// What offloading brought to a design: techniques with shares, cost, runtimes, devices.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/near_storage.h"
#include "tests/engine/offload_fixtures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Scenario again(const Scenario& scenario) {
    return readScenario(writeScenario(scenario), Catalog{}, "again");
}

} // namespace

TEST_CASE("techniques survive JSON, with a share and without one") {
    auto scenario = preset("inf2/opt-30b-a100-16csd");
    for (const bool set : {true, false}) {
        setTechniques(scenario, {true, 16, true, set ? 0.125 : -1.0, true, set ? 0.0 : -1.0});
        const auto read = again(scenario);
        CHECK(read == scenario);
        CHECK(read.techniques[xCache()].quantity(kXShare).isSet() == set);
        CHECK(read.techniques[hostKv()].quantity(kHostShare).isSet() == set);
        CHECK(read.techniques[delayedWriteback()].quantity(kSpillInterval).value == 16);
        CHECK(scenarioKey(read) == scenarioKey(scenario));
    }
    // An unset share is not one of 0, and the key knows.
    auto zero = scenario;
    setTechniques(zero, {true, 16, true, 0, true, 0});
    CHECK(scenarioKey(zero) != scenarioKey(scenario));
    CHECK(evaluate(zero).metric(Metric::Throughput) != evaluate(scenario).metric(Metric::Throughput));
}

TEST_CASE("cost survives JSON, and has paths") {
    auto scenario = presetWith("inf2/opt-30b-a100-16csd",
                               {{"cost.lifetime_years", "5"}, {"cost.electricity_usd_per_kwh", "0.25"}});
    CHECK(off(scenario.cost.electricity.value, 0.25 / 3.6e6) < 1e-12);
    CHECK(scenario.cost.lifetime.value > 4.9 * 365 * 86400);
    CHECK(again(scenario) == scenario);
    CHECK(parameterText(scenario, findParameter(scenario, catalog(), "cost.lifetime_years")) == "5");
    CHECK(scenarioKey(scenario) != scenarioKey(preset("inf2/opt-30b-a100-16csd")));
    // Undone exactly.
    auto edited = scenario;
    const auto inverse = applyEdit(edited, setEdit(edited, catalog(), "cost.lifetime_years", "1"));
    CHECK_FALSE(edited == scenario);
    applyEdit(edited, inverse);
    CHECK(edited == scenario);
}

TEST_CASE("runtimes that offload survive JSON, with and without their optional figures") {
    for (const auto& entry : catalog().runtimes) {
        if (!entry.base.offload)
            continue;
        CAPTURE(entry.base.id);
        auto runtime = entry.base;
        CHECK(readRuntime(writeRuntime(runtime), "again") == runtime);
        quantityOf(runtime, "offload.weights_on_storage") = {0.5, Provenance::User, {}};
        quantityOf(runtime, "offload.transfer_limit_gbps") = {3e9, Provenance::User, {}};
        const auto read = readRuntime(writeRuntime(runtime), "again");
        CHECK(read == runtime);
        CHECK(read.offload == runtime.offload);
        CHECK(read.nearStorage == runtime.nearStorage);
        CHECK(read.holdsScores == runtime.holdsScores);
    }
    auto json = writeRuntime(catalog().runtime("inf2", "").base);
    json["offload"]["kind"] = "moon";
    CHECK(errorOf([&] { readRuntime(json, "r"); }).find("weights, host, unified, storage") !=
          std::string::npos);
    json = writeRuntime(catalog().runtime("inf2", "").base);
    json["offload"].erase("host_memory_share");
    CHECK(errorOf([&] { readRuntime(json, "r"); }).find("host_memory_share") != std::string::npos);
}

TEST_CASE("a design may leave out what it does not use") {
    const auto design = preset("glitches/a100-7u280");
    auto json = writeScenario(design);
    json.erase("cost");
    for (const auto* technique :
         {"l2_prefetch", "attention_near_storage", "delayed_writeback", "x_cache", "host_kv"})
        json["techniques"].erase(technique);
    for (auto& node : json["nodes"]) {
        node.erase("replicas");
        if (node.contains("runtime"))
            for (const auto* key : {"offload", "near_storage", "holds_scores", "operators", "allreduce"})
                node["runtime"].erase(key);
    }
    const auto read = readScenario(json, Catalog{}, "short");
    CHECK(read == design);
    CHECK(scenarioKey(read) == scenarioKey(design));
    CHECK_FALSE(read.techniques[l2Prefetch()].enabled);
    CHECK(read.techniques[l2Prefetch()].isOn(kPrefetchWeights));
    CHECK_FALSE(read.techniques[attentionNearStorage()].enabled);
    CHECK_FALSE(read.techniques[xCache()].quantity(kXShare).isSet());
    CHECK_FALSE(read.nodes[0].replicas.isSet());
    CHECK(read.cost == Economics{});
}

TEST_CASE("paths of the new techniques: switches, numbers, a share that is cleared") {
    auto scenario = preset("inf2/opt-30b-a100-16csd");
    scenario = with(scenario, "techniques.x_cache.share", "0.2");
    CHECK(scenario.techniques[xCache()].quantity(kXShare).value == 0.2);
    CHECK(evaluate(scenario).metric(Metric::XCacheShare) == 0.2);
    scenario = with(scenario, "techniques.x_cache.share", "none");
    CHECK_FALSE(scenario.techniques[xCache()].quantity(kXShare).isSet());
    CHECK(parameterText(scenario, findParameter(scenario, catalog(), "techniques.x_cache.share")).empty());
    CHECK(scenario == preset("inf2/opt-30b-a100-16csd"));
    scenario = with(scenario, "techniques.host_kv.enabled", "true");
    scenario = with(scenario, "techniques.host_kv.share", "0.1");
    CHECK(evaluate(scenario).metric(Metric::KvHostShare) == 0.1);
    scenario = with(scenario, "techniques.delayed_writeback.interval", "8");
    CHECK(scenario.techniques[delayedWriteback()].quantity(kSpillInterval).value == 8);
    const auto parameters = listParameters(scenario, catalog());
    for (const auto* path :
         {"cost.lifetime_years", "cost.electricity_usd_per_kwh", "techniques.attention_near_storage.enabled",
          "techniques.delayed_writeback.interval", "techniques.x_cache.share", "techniques.host_kv.share",
          "nodes.host.device.host_memory_gib", "nodes.storage.device.kernel_gbps",
          "nodes.storage.device.write_bandwidth_gbps", "nodes.gpu.offload.host_memory_share",
          "nodes.gpu.offload.weights_on_storage", "model.ffn_matrices", "model.embeddings"}) {
        CAPTURE(path);
        CHECK(std::any_of(parameters.begin(), parameters.end(),
                          [&](const Parameter& p) { return p.path == path; }));
    }
}

TEST_CASE("a device that takes another's place keeps a runtime that offloads, if it can run it") {
    auto scenario = presetWith("inf2/opt-30b-a100-16csd", {{"nodes.gpu.device", "h100-pcie"}});
    CHECK(node(scenario, "gpu").runtime->id == "inf2");
    CHECK(node(scenario, "gpu").runtime->offload.kind->id() == "storage");
    CHECK(node(with(scenario, "nodes.gpu.device", "ascend-910b"), "gpu").runtime->id == "inf2");
    // An FPGA cannot: it gets one that offloads in the same way, or its own where there is none.
    auto fpga = with(scenario, "nodes.gpu.device", "u280");
    CHECK(node(fpga, "gpu").runtime->id == "inf2-fpga");
    auto zero = with(scenario, "nodes.gpu.runtime", "deepspeed-zero");
    CHECK(node(with(zero, "nodes.gpu.device", "u280"), "gpu").runtime->id == "glitches-fpga");
    // So does one that does not offload.
    auto plain = with(scenario, "nodes.gpu.runtime", "ideal");
    CHECK(node(with(plain, "nodes.gpu.device", "v100s"), "gpu").runtime->id == "ideal");
    // A calibration for the device comes along.
    auto pool = presetWith("inf2/llama2-7b-4u280-16csd", {{"nodes.fpga.device", "vhk158"}});
    CHECK(node(pool, "fpga").runtime->id == "inf2-fpga");
    CHECK_FALSE(node(pool, "fpga").runtime->peakCompute.isSet());
    pool = with(pool, "nodes.fpga.device", "u280");
    CHECK(off(node(pool, "fpga").runtime->peakCompute.value, 6.91e12) < 1e-12);
    // Storage and hosts have none.
    CHECK_FALSE(node(with(scenario, "nodes.storage.device", "nvme-ssd"), "storage").runtime.has_value());
}
