// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/memory_plan.h"

#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A model that can be counted by hand: 10 layers of 4 x 1000^2 + 2 x 1000 x 4000 = 12e6 weights and 2000
/// norm gains, one vocabulary of 1000 x 20000 and the last norm: 140.021e6 parameters, 280.042 MB. K and V of
/// one token and layer: 4000 B, X: 2000 B.
Model smallModel() {
    auto model = catalog().model("opt-30b", "");
    model.layers.value = 10;
    model.hidden.value = 1000;
    model.heads.value = 10;
    model.kvHeads.value = 10;
    model.headDim.value = 100;
    model.ffn.value = 4000;
    model.vocab.value = 20000;
    return model;
}
constexpr double kWeights = 280.042e6;

/// 10 requests of 900 + 100 tokens: 10,000 tokens, 400 MB of KV cache, 40 MB a layer. Two layers staged and
/// 20 MB reserved: 100 MB. Half of what is free is used. 30 MB of the device stay free.
Scenario small(const std::string& runtime, double deviceMemory, double hostMemory) {
    auto scenario = inf2System("a100-40gb", runtime, "opt-30b");
    scenario.model = smallModel();
    scenario.workload.batch.value = 10;
    scenario.workload.promptTokens.value = 900;
    scenario.workload.outputTokens.value = 100;
    auto& gpu = node(scenario, "gpu");
    gpu.device.memoryCapacity.value = deviceMemory;
    quantityOf(*gpu.runtime, "offload.staging_layers").value = 2;
    quantityOf(*gpu.runtime, "offload.host_reserve_gb").value = 20e6;
    quantityOf(*gpu.runtime, "offload.device_reserve_gb").value = 30e6;
    quantityOf(*gpu.runtime, "offload.host_memory_share").value = 0.5;
    node(scenario, "host").device.hostMemory.value = hostMemory;
    return scenario;
}

MemoryPlan planOf(const Scenario& scenario) {
    return Offloaded(scenario).offloading.plan;
}

void checkShortfall(const MemoryPlan& plan, Tier tier, double needed, double available, const char* what) {
    REQUIRE(plan.shortfall.has_value());
    CHECK(plan.shortfall->tier == tier);
    CHECK(off(plan.shortfall->needed, needed) < 1e-12);
    CHECK(off(plan.shortfall->available, available) < 1e-12);
    CHECK(plan.shortfall->what == what);
}

} // namespace

TEST_CASE("memory plan: sizes, counted by hand") {
    const auto plan = planOf(small("flexgen", 1e9, 1e9));
    CHECK(plan.weights == kWeights);
    CHECK(off(plan.layerWeights, 24.0042e6) < 1e-12); // norms in it, the last one spread over the layers
    CHECK(plan.kvToken == 4000);
    CHECK(plan.xToken == 2000);
    CHECK(plan.kv == 400e6);
    CHECK(plan.x == 200e6);
    CHECK(plan.staging == 100e6);
}

TEST_CASE("memory plan: weights on the device leave the host to the KV cache") {
    auto plan = planOf(small("flexgen", kWeights + 30e6, 1e9)); // it just fits
    CHECK(plan.weightsDevice == kWeights);
    CHECK(plan.weightsHost == 0);
    CHECK(plan.weightsStorage == 0);
    CHECK(plan.usable == 450e6);
    CHECK_FALSE(plan.shortfall.has_value());

    plan = planOf(small("flexgen", kWeights + 30e6 - 1, 1e9)); // and just does not
    CHECK(plan.weightsDevice == 0);
    CHECK(plan.weightsHost == kWeights);
    CHECK(plan.weightsStorage == 0);
    CHECK(plan.usable == 0.5 * (1e9 - 100e6 - kWeights));
}

TEST_CASE("memory plan: weights that the host does not take spill to storage, staging never fails") {
    auto plan = planOf(small("flexgen", 100e6, 300e6));
    CHECK(plan.weightsHost == 200e6);
    CHECK(off(plan.weightsStorage, kWeights - 200e6) < 1e-12);
    CHECK(plan.usable == 0);
    CHECK_FALSE(plan.shortfall.has_value());
    plan = planOf(small("flexgen", 100e6, 50e6)); // less than is staged
    CHECK(plan.weightsHost == 0);
    CHECK(plan.weightsStorage == kWeights);
    CHECK(plan.usable == 0);
    CHECK_FALSE(plan.shortfall.has_value());
}

TEST_CASE("memory plan: a share forced to storage takes the weights off the device") {
    auto scenario = small("flexgen", 1e9, 1e9);
    quantityOf(*node(scenario, "gpu").runtime, "offload.weights_on_storage").value = 0.25;
    auto plan = planOf(scenario);
    CHECK(plan.weightsDevice == 0);
    CHECK(off(plan.weightsHost, 0.75 * kWeights) < 1e-12);
    CHECK(off(plan.weightsStorage, 0.25 * kWeights) < 1e-12);
    CHECK(off(plan.usable, 0.5 * (900e6 - 0.75 * kWeights)) < 1e-12);
    quantityOf(*node(scenario, "gpu").runtime, "offload.weights_on_storage").value = 1;
    plan = planOf(scenario);
    CHECK(plan.weightsHost == 0);
    CHECK(plan.weightsStorage == kWeights);
    CHECK(plan.usable == 450e6);
    // Less than what is forced fits the host: the rest spills.
    quantityOf(*node(scenario, "gpu").runtime, "offload.weights_on_storage").value = 0.25;
    node(scenario, "host").device.hostMemory.value = 200e6;
    plan = planOf(scenario);
    CHECK(off(plan.weightsHost, 100e6) < 1e-12);
    CHECK(off(plan.weightsStorage, kWeights - 100e6) < 1e-12);
}

TEST_CASE("memory plan: several devices hold one copy together, copies share the host") {
    auto scenario = small("flexgen", 80e6, 1e9);
    auto& gpu = node(scenario, "gpu");
    gpu.count.value = 4; // 320 MB together: weights and 30 MB fit
    gpu.replicas.value = 1;
    CHECK(planOf(scenario).weightsDevice == kWeights);
    gpu.replicas.value = 2; // 160 MB for a copy
    const auto plan = planOf(scenario);
    CHECK(plan.weightsHost == kWeights);
    CHECK(off(plan.usable, 0.5 * (500e6 - 100e6 - kWeights)) < 1e-12);
}

TEST_CASE("memory plan: meta-data of tiles counts, cached bits count") {
    auto scenario = presetWith("inf2/llama2-7b-4u280-16csd", {});
    const auto plan = Offloaded(scenario).offloading.plan;
    CHECK(off(plan.weights, scenario.model.parameters() * 0.5 * (1 + 256.0 / 8192)) < 1e-12);
    CHECK(plan.kvToken == 2 * 4096); // 8 bits
    CHECK(plan.xToken == 4096);
}

TEST_CASE("memory plan: what Accelerate keeps on the device must fit there") {
    // KV cache and one layer: 400 + 24.0042 MB.
    auto plan = planOf(small("accelerate", 425e6, 1e9));
    CHECK_FALSE(plan.shortfall.has_value());
    CHECK(plan.weightsHost == kWeights); // KV cache, weights and reserve do not fit
    plan = planOf(small("accelerate", 400e6 + kWeights + 30e6, 1e9));
    CHECK(plan.weightsDevice == kWeights);
    checkShortfall(planOf(small("accelerate", 424e6, 1e9)), Tier::Device, 424.0042e6, 424e6,
                   "KV cache and the weights of one layer");
}

TEST_CASE("memory plan: one layer's weights must fit any device") {
    checkShortfall(planOf(small("flexgen", 24e6, 1e9)), Tier::Device, 24.0042e6, 24e6,
                   "weights of one layer");
    CHECK_FALSE(planOf(small("flexgen", 24.1e6, 1e9)).shortfall.has_value());
}

TEST_CASE("memory plan: a prefill's scores, where the runtime holds them") {
    // 2 B x 10 requests x 10 heads x 900 x 900 = 162 MB.
    checkShortfall(planOf(small("deepspeed-zero", 161e6, 2e9)), Tier::Device, 162e6, 161e6,
                   "attention scores of the prefill");
    CHECK_FALSE(planOf(small("deepspeed-zero", 162e6, 2e9)).shortfall.has_value());
    CHECK_FALSE(planOf(small("flexgen", 161e6, 1e9)).shortfall.has_value());
    CHECK_FALSE(planOf(small("deepspeed-uvm", 161e6, 1e9)).shortfall.has_value());
}

TEST_CASE("memory plan: a KV cache that must lie in host memory") {
    // 0.5 x (memory - 100 MB - weights) >= 400 MB from 1180.042 MB on.
    CHECK_FALSE(planOf(small("deepspeed-zero", 200e6, 1180.1e6)).shortfall.has_value());
    checkShortfall(planOf(small("deepspeed-zero", 200e6, 1180e6)), Tier::Host, 400e6,
                   0.5 * (1080e6 - kWeights), "KV cache");
    CHECK_FALSE(planOf(small("flexgen", 200e6, 1180e6)).shortfall.has_value());
}

TEST_CASE("memory plan: weights that find no storage") {
    auto scenario = small("accelerate", 425e6, 350e6);
    CHECK_FALSE(planOf(scenario).shortfall.has_value());
    CHECK(off(planOf(scenario).weightsStorage, kWeights - 250e6) < 1e-12);
    scenario.nodes.pop_back(); // the CSDs
    scenario.links.pop_back();
    checkShortfall(planOf(scenario), Tier::Host, kWeights + 100e6, 350e6, "weights and buffers");
    node(scenario, "host").device.hostMemory.value = 400e6;
    CHECK_FALSE(planOf(scenario).shortfall.has_value());
}

TEST_CASE("memory plan: what storage does not hold") {
    auto scenario = small("flexgen", 100e6, 300e6); // no KV cache in the host, 80.042 MB of weights spilt
    auto& storage = node(scenario, "storage");
    storage.count.value = 2;
    storage.device.memoryCapacity.value = 199e6;
    checkShortfall(planOf(scenario), Tier::Storage, 400e6, 398e6, "KV cache");
    storage.device.memoryCapacity.value = 240e6;
    checkShortfall(planOf(scenario), Tier::Storage, 400e6 + kWeights - 200e6, 480e6, "weights and KV cache");
    storage.device.memoryCapacity.value = 240.1e6;
    CHECK_FALSE(planOf(scenario).shortfall.has_value());
    // Near storage only the CSDs take KV cache; weights go to any.
    auto near = small("inf2", 100e6, 300e6);
    setTechniques(near, {});
    auto& csd = node(near, "storage");
    csd.count.value = 1;
    csd.device.memoryCapacity.value = 390e6;
    place(near, "ssd", "nvme-ssd", 4);
    connect(near, "expansion", "ssd", 3.5);
    checkShortfall(planOf(near), Tier::Storage, 400e6, 390e6, "KV cache");
    node(near, "storage").device.memoryCapacity.value = 400e6;
    CHECK_FALSE(planOf(near).shortfall.has_value());
}
