// SPDX-License-Identifier: GPL-3.0-or-later
// An offloading system that cannot run says which memory is too small, for what, by how much.
#include "engine/evaluation/evaluate.h"
#include "engine/store/store.h"
#include "engine/study_run/run_study.h"
#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

void checkFails(const Scenario& scenario, Tier tier, const std::vector<std::string>& parts) {
    const auto e = evaluate(scenario);
    CAPTURE(e.reason);
    REQUIRE_FALSE(e.feasible);
    for (const auto& part : parts) {
        CAPTURE(part);
        CHECK(e.reason.find(part) != std::string::npos);
    }
    CHECK(e.reason.find(tierLabel(tier)) != std::string::npos);
    REQUIRE(e.shortNode == 0);
    REQUIRE(e.nodes[0].shortfall.has_value());
    CHECK(e.nodes[0].shortfall->tier == tier);
    CHECK(e.nodes[0].shortfall->needed > e.nodes[0].shortfall->available);
    CHECK_FALSE(e.nodes[0].fits);
    CHECK(boundKey(scenario, e) == "none");
    for (std::size_t i = 0; i < kMetricCount; ++i) {
        const auto metric = static_cast<Metric>(i);
        if (metric != Metric::Price && metric != Metric::Area)
            CHECK(std::isnan(e.metric(metric)));
    }
}

} // namespace

TEST_CASE("each tier's shortfall is said by tier and bytes") {
    // 32 x (16384 + 64) tokens of 48 layers x 28672 B are 724.4 GB; 114.5 GB of the host are usable.
    checkFails(inf2System("h100-pcie", "deepspeed-zero", "opt-30b"), Tier::Device,
               {"H100 PCIe needs 962 GB", "attention scores of the prefill", "has 80.0 GB"});
    auto host = inf2System("h100-pcie", "deepspeed-zero", "opt-30b");
    host.workload.promptTokens.value = 4096;
    checkFails(host, Tier::Host, {"needs 183 GB", "of host memory for KV cache", "of it to use"});
    checkFails(presetWith("inf2/opt-30b-h100-accelerate",
                          {{"model", "opt-66b"}, {"workload.prompt_tokens", "1024"}}),
               Tier::Device, {"needs 84.2 GB", "KV cache and the weights of one layer", "has 80.0 GB"});
    checkFails(presetWith("inf2/opt-30b-a100-16csd", {{"nodes.storage.device.memory_gb", "10"}}),
               Tier::Storage,
               {"A100 40GB, INF2 needs 518 GB", "for KV cache", "has 160 GB", "more SSDs or CSDs"});
    checkFails(presetWith("inf2/opt-30b-a100-16csd", {{"nodes.gpu.device.memory_gb", "1"}}), Tier::Device,
               {"weights of one layer", "has 1.00 GB"});
    // More than storage holds with the weights that spill there.
    checkFails(presetWith("inf2/opt-30b-a100-16ssd", {{"nodes.host.device.host_memory_gib", "64"},
                                                      {"nodes.storage.device.memory_gb", "45.5"}}),
               Tier::Storage, {"weights and KV cache", "has 728 GB"});
}

TEST_CASE("what fits by a byte runs, and what fails by a byte does not") {
    auto scenario = preset("inf2/opt-30b-a100-16ssd");
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    const double needed = e.nodes[0].offload.tier(Tier::Storage).used();
    auto& storage = node(scenario, "storage");
    storage.device.memoryCapacity.value = (needed + 16) / 16;
    CHECK(evaluate(scenario).feasible);
    storage.device.memoryCapacity.value = (needed - 1600) / 16;
    CHECK_FALSE(evaluate(scenario).feasible);
}

TEST_CASE("tiers hold what the metrics say, within their capacity") {
    for (const auto& id : offloadingPresets()) {
        CAPTURE(id);
        const auto e = evaluate(preset(id));
        REQUIRE(e.feasible);
        const auto& offload = e.nodes[0].offload;
        double weights = 0.0, kv = 0.0;
        for (const auto tier : {Tier::Device, Tier::Host, Tier::Storage}) {
            const auto& use = offload.tier(tier);
            CHECK(use.used() <= use.capacity * (1 + 1e-9));
            weights += use.weights;
            kv += use.kv;
        }
        CHECK(off(e.metric(Metric::Weights), weights) < 1e-12);
        CHECK(off(kv, (1 - offload.kv.x) * offload.kvBytes) < 1e-9);
        CHECK(e.metric(Metric::KvCache) == offload.kvBytes);
        CHECK(e.metric(Metric::MemoryDevice) == offload.tier(Tier::Device).used());
        CHECK(e.metric(Metric::MemoryHost) == offload.tier(Tier::Host).used());
        CHECK(e.metric(Metric::WeightsStorage) == offload.tier(Tier::Storage).weights);
        CHECK(e.metric(Metric::MemoryStorage) == offload.tier(Tier::Storage).used());
    }
}

TEST_CASE("metrics of offloading are unset where nothing is offloaded") {
    for (const auto* id : {"glitches/a100-7u280", "preserve/llama3-70b-8npu", "inf2/opt-175b-8a100"}) {
        const auto e = evaluate(preset(id));
        REQUIRE(e.feasible);
        for (auto i = static_cast<std::size_t>(Metric::DecodeAccelerator); i < kMetricCount; ++i)
            CHECK(std::isnan(e.metrics[i]));
        CHECK_FALSE(e.nodes[0].offload.active);
    }
}
