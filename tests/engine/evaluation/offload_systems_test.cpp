// SPDX-License-Identifier: GPL-3.0-or-later
// INF2 together with what the other papers bring: FPGAs, NPUs, disaggregation, replicas, tensor parallelism.
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/timeline.h"
#include "engine/techniques/built_in.h"
#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

double throughput(const Scenario& scenario) {
    const auto e = evaluate(scenario);
    CAPTURE(e.reason);
    REQUIRE(e.feasible);
    return e.metric(Metric::Throughput);
}

double part(const Evaluation& e, std::size_t node, Work work) {
    return e.nodes[node].offload.decode[static_cast<std::size_t>(work)];
}

} // namespace

TEST_CASE("attention near storage on an NPU") {
    const auto scenario = preset("inf2/opt-30b-910b-16csd");
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    CHECK(e.nodes[0].offload.near);
    CHECK(e.nodes[0].offload.kv.x > 0.0);
    CHECK(part(e, 0, Work::NearStorageAttention) > 0.5 * e.nodes[0].decode.totalSeconds);
    CHECK(throughput(with(scenario, "nodes.storage.device", "nvme-ssd")) < e.metric(Metric::Throughput));
    // The same rates on a GPU give the same.
    auto gpu = scenario;
    gpu.nodes[0].device.kind = DeviceKind::Gpu;
    CHECK(evaluate(gpu).metric(Metric::Throughput) == e.metric(Metric::Throughput));
}

TEST_CASE("load merging on FPGAs fed from CSDs changes their operators, and nothing else") {
    auto scenario = preset("inf2/llama2-7b-4u280-16csd");
    scenario.workload.batch.value = 8;
    scenario.techniques[loadMerging()].enabled = false;
    const auto without = evaluate(scenario);
    scenario.techniques[loadMerging()].enabled = true;
    const auto merged = evaluate(scenario);
    REQUIRE(without.feasible);
    REQUIRE(merged.feasible);
    CHECK(merged.nodes[0].offload.near);
    // At a batch of 8 its instructions compute longer than they load: merging only delays the first of them.
    CHECK(part(merged, 0, Work::Operator) > part(without, 0, Work::Operator));
    CHECK(part(merged, 0, Work::Operator) < 1.01 * part(without, 0, Work::Operator));
    CHECK(merged.metric(Metric::DecodeAccelerator) == part(merged, 0, Work::Operator));
    for (const auto work : {Work::NearStorageAttention, Work::QkvTransfer, Work::KvWrite, Work::XTransfer,
                            Work::Regenerate, Work::HostAttention, Work::WeightTransfer})
        CHECK(part(merged, 0, work) == doctest::Approx(part(without, 0, work)));
    CHECK(merged.nodes[0].prefill.totalSeconds == without.nodes[0].prefill.totalSeconds);
    // One request at a time waits for loads.
    scenario.workload.batch.value = 1;
    const auto alone = evaluate(scenario);
    scenario.techniques[loadMerging()].enabled = false;
    const auto unmerged = evaluate(scenario);
    scenario.techniques[loadMerging()].enabled = true;
    CHECK(part(alone, 0, Work::Operator) < 0.85 * part(unmerged, 0, Work::Operator));
    CHECK(alone.metric(Metric::Throughput) > unmerged.metric(Metric::Throughput));
    // Attention is done in the CSDs and on the CPU: no cycle of the FPGA goes to it.
    auto longer = scenario;
    longer.workload.promptTokens.value += 1000;
    CHECK(part(evaluate(longer), 0, Work::Operator) == doctest::Approx(part(alone, 0, Work::Operator)));
}

TEST_CASE("A100 prefills, U280s decode, over the CSDs of one host") {
    auto scenario = emptySystem();
    scenario.model = catalog().model("llama2-7b", "");
    scenario.workload.batch.value = 8;
    scenario.workload.promptTokens.value = 8192;
    place(scenario, "gpu", "a100-40gb", 1, "inf2").role = Role::Prefill;
    place(scenario, "fpga", "u280", 4, "inf2-fpga").role = Role::Decode;
    place(scenario, "host", "xeon-6342-host");
    place(scenario, "expansion", "falcon-4109");
    place(scenario, "csd", "smartssd", 16);
    connect(scenario, "gpu", "host", 24.5);
    connect(scenario, "fpga", "host", 12);
    connect(scenario, "host", "expansion", 5.54);
    connect(scenario, "expansion", "csd", 3.5);
    scenario.techniques[disaggregation()].enabled = true;
    scenario.techniques[loadMerging()].enabled = true;
    setTechniques(scenario, {true, 2, true, -1, true});
    const auto e = evaluate(scenario);
    CAPTURE(e.reason);
    REQUIRE(e.feasible);
    CHECK(e.nodes[0].role == Role::Prefill);
    CHECK(e.nodes[1].role == Role::Decode);
    CHECK(e.metric(Metric::TimeToFirstToken) == e.nodes[0].prefill.totalSeconds);
    CHECK(off(e.metric(Metric::TimePerToken) * 64, e.nodes[1].decode.totalSeconds) < 1e-12);
    CHECK(off(e.metric(Metric::KvHostShare), e.nodes[1].offload.kv.host) < 1e-12);
    // Five replicas share the host: one on the GPU, four on the FPGAs.
    TierMap map;
    CHECK(map.find(scenario, 0).activeReplicas == 5);
    CHECK(map.find(scenario, 1).activeReplicas == 5);
    // As fast as the slower side, with the FPGAs that work.
    const double working = e.nodes[1].offload.activeReplicas;
    const double prefills = 8 * 64 / e.nodes[0].prefill.totalSeconds;
    const double decodes = working * 8 * 64 / e.nodes[1].decode.totalSeconds;
    CHECK(off(e.metric(Metric::Throughput), std::min(prefills, decodes)) < 1e-9);
    // The prefill leaves the KV cache where the decode finds it: nothing is transferred.
    CHECK(e.metric(Metric::KvTransfer) == 0.0);
    CHECK(e.links[1].bytesPerSecond > 0.0); // X-cache to the FPGAs
    CHECK(e.bound.node < 2);
    const auto request = requestTimeline(scenario);
    CHECK(off(request.seconds, e.metric(Metric::Latency)) < 1e-9);
}

TEST_CASE("two replicas share host, uplink and CSDs") {
    auto one = inf2System("a100-40gb", "inf2", "opt-30b");
    setTechniques(one, {true, 0, false});
    node(one, "host").device.hostMemory.value = 1e12;
    auto two = one;
    node(two, "gpu").count.value = 2;
    const auto single = evaluate(one);
    const auto shared = evaluate(two);
    REQUIRE(single.feasible);
    REQUIRE(shared.feasible);
    // Each has half of the CSDs: its attention takes twice as long, its operators do not.
    CHECK(off(part(shared, 0, Work::NearStorageAttention), 2 * part(single, 0, Work::NearStorageAttention)) <
          1e-9);
    CHECK(off(part(shared, 0, Work::QkvTransfer), 2 * part(single, 0, Work::QkvTransfer)) < 1e-9);
    CHECK(off(part(shared, 0, Work::KvWrite), 2 * part(single, 0, Work::KvWrite)) < 1e-9);
    CHECK(off(part(shared, 0, Work::Operator), part(single, 0, Work::Operator)) < 1e-9);
    CHECK(shared.nodes[0].offload.tier(Tier::Host).capacity == 0.5e12);
    CHECK(shared.metric(Metric::Throughput) < 1.6 * single.metric(Metric::Throughput)); // prefills gain
    CHECK(shared.metric(Metric::Throughput) > single.metric(Metric::Throughput));
    // Twice the host and the storage, and nothing is shared.
    node(two, "host").device.hostMemory.value *= 2;
    node(two, "host").device.memoryBandwidth.value *= 2;
    node(two, "storage").count.value *= 2;
    link(two, "uplink").type.bandwidth.value *= 2;
    CHECK(off(throughput(two), 2 * single.metric(Metric::Throughput)) < 1e-9);
}

TEST_CASE("two GPUs share one replica: weights and heads are split, X goes to both") {
    auto one = inf2System("a100-40gb", "inf2", "opt-30b");
    setTechniques(one, {true, 2, true, 0.2});
    auto two = one;
    node(two, "gpu").count.value = 2;
    node(two, "gpu").replicas.value = 1;
    // Weights would fit two devices: forced away, so that they still cross PCIe.
    quantityOf(*node(one, "gpu").runtime, "offload.device_reserve_gb").value = 1e12;
    quantityOf(*node(two, "gpu").runtime, "offload.device_reserve_gb").value = 1e12;
    const Offloaded single(one), pair(two);
    CHECK(pair.offloading.tiers.activeReplicas == 1);
    CHECK(pair.offloading.plan.weights == single.offloading.plan.weights);
    CHECK(pair.offloading.kv.x == 0.2);
    const auto seconds = [](const Offloaded& system, Work work) {
        for (const auto& chain : system.offloading.decode.chains())
            for (const auto& flow : chain.flows())
                if (flow.work == work && flow.lane != Lane::Storage)
                    return flow.seconds.at(10001);
        return 0.0;
    };
    CHECK(off(seconds(pair, Work::WeightTransfer), seconds(single, Work::WeightTransfer) / 2) < 1e-12);
    CHECK(off(seconds(pair, Work::XTransfer), seconds(single, Work::XTransfer)) < 1e-12);
    CHECK(off(seconds(pair, Work::NearStorageAttention), seconds(single, Work::NearStorageAttention)) <
          1e-12);
    CHECK(seconds(pair, Work::Regenerate) < 0.6 * seconds(single, Work::Regenerate));
    const auto alone = evaluate(one);
    const auto e = evaluate(two);
    CAPTURE(e.reason);
    REQUIRE(e.feasible);
    CHECK(e.nodes[0].devices == 2);
    CHECK(e.nodes[0].prefill.totalSeconds < 0.7 * alone.nodes[0].prefill.totalSeconds);
    CHECK(e.nodes[0].prefill.totalSeconds > 0.5 * alone.nodes[0].prefill.totalSeconds); // it reduces, too
    CHECK(e.metric(Metric::Throughput) > alone.metric(Metric::Throughput));
    CHECK(e.nodes[0].prefill.collectiveBytes.near > 0.0);
    // Without the reserve the pool holds the weights: nothing crosses PCIe but X.
    quantityOf(*node(two, "gpu").runtime, "offload.device_reserve_gb").value = 8e9;
    const auto held = evaluate(two);
    CHECK(held.nodes[0].offload.tier(Tier::Device).weights == single.offloading.plan.weights);
    CHECK(off(held.nodes[0].weightBytes, single.offloading.plan.weights / 2) < 1e-12);
}

TEST_CASE("a host that prefill and decode nodes use at once is busy once, and the power's terms name it") {
    auto scenario = presetWith("inf2/llama2-7b-h100-16csd",
                               {{"techniques.disaggregation.enabled", "true"}, {"nodes.gpu.role", "decode"}});
    auto prefill = scenario.nodes[0];
    prefill.id.value = "prefill";
    prefill.role = Role::Prefill;
    scenario.nodes.push_back(prefill);
    auto link = *scenario.findLink({"gpu-host"});
    link.id.value = "prefill-host";
    link.from.value = "prefill";
    scenario.links.push_back(link);
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    for (const auto& node : e.nodes)
        CHECK(node.busy() <= 1.0 + 1e-12);
    CHECK(e.nodes[1].busy() == doctest::Approx(1.0)); // the host
    const auto text = termText(explain(scenario, "power_w"));
    CHECK(text.find("Xeon") != std::string::npos);
    CHECK(text.find("SmartSSD") != std::string::npos);
    CHECK(text.find("Power of the kernel = 14.21 W") != std::string::npos);
    CHECK(termText(explain(scenario, "area_mm2")).find("SmartSSD") == std::string::npos);
}
