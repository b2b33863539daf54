// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/offload_fixtures.h"

#include "engine/schedule/compiled_pool.h"
#include "engine/techniques/near_storage.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heteroscape::engine::test {

void setTechniques(Scenario& scenario, const NearStorage& techniques) {
    auto& out = scenario.techniques;
    out[attentionNearStorage()].enabled = techniques.attention;
    out[delayedWriteback()].enabled = techniques.interval > 0.0;
    if (techniques.interval > 0.0)
        out[delayedWriteback()].quantity(kSpillInterval).value = techniques.interval;
    out[xCache()].enabled = techniques.xCache;
    out[xCache()].quantity(kXShare) =
        techniques.xShare < 0.0 ? Quantity{} : Quantity{techniques.xShare, Provenance::User, {}};
    out[hostKv()].enabled = techniques.hostKv;
    out[hostKv()].quantity(kHostShare) =
        techniques.hostShare < 0.0 ? Quantity{} : Quantity{techniques.hostShare, Provenance::User, {}};
}

Scenario inf2System(const std::string& accelerator, const std::string& runtime, const std::string& model) {
    static std::map<std::string, Scenario> made;
    const auto key = accelerator + " " + runtime + " " + model;
    const auto found = made.find(key);
    if (found != made.end())
        return found->second;
    auto scenario =
        presetWith("inf2/opt-30b-a100-16csd",
                   {{"nodes.gpu.device", accelerator}, {"nodes.gpu.runtime", runtime}, {"model", model}});
    node(scenario, "storage").device.memoryCapacity.value = 1e18;
    link(scenario, "expansion-storage").type.bandwidth.value = 1e12;
    made.emplace(key, scenario);
    return scenario;
}

Offloaded::Offloaded(const Scenario& of, std::size_t nodeIndex)
    : scenario(of), node(nodeIndex), machine(machineOf(of, of.nodes[nodeIndex])),
      offloading(
          (map.reset(of), *CompiledPool(of, nodeIndex, map, replicas(of.nodes[nodeIndex])).offloading())) {}

OffloadInput Offloaded::input() const {
    return {scenario,           machine,
            offloading.plan,    offloading.tiers,
            map.storageNodes(), tensorParallel(scenario.nodes[node]),
            offloading.near};
}

double chainSeconds(const OffloadInput& input, const KvShares& kv) {
    const auto& workload = input.scenario.workload;
    const double keys = workload.promptTokens.value + 0.5 * (workload.outputTokens.value + 1.0);
    double most = 0.0;
    const auto flows = decodeFlows(input, kv); // chains() refers to it
    for (const auto& chain : flows.chains())
        most = std::max(most, chain.seconds().at(keys));
    return most;
}

double drawn(std::mt19937& random, double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
}

Scenario randomOffloading(std::mt19937& random, const std::string& runtime, bool anyRates) {
    static const std::vector<std::string> models{"opt-30b",   "opt-66b",    "opt-175b",
                                                 "llama2-7b", "llama2-13b", "llama2-70b"};
    static const std::vector<double> forced{0.0, 0.0, 0.0, 0.25, 0.5, 1.0};
    auto scenario =
        inf2System(random() % 2 == 0 ? "a100-40gb" : "h100-pcie", runtime, models[random() % models.size()]);
    auto& workload = scenario.workload;
    workload.batch.value = std::floor(drawn(random, 1, 64.99));
    workload.promptTokens.value = std::floor(drawn(random, 512, 65536));
    workload.outputTokens.value = std::floor(drawn(random, 8, 512));
    auto& storage = node(scenario, "storage");
    storage.count.value = std::floor(drawn(random, 1, 32.99));
    node(scenario, "host").device.hostMemory.value = drawn(random, 64, 1536) * 1024 * 1024 * 1024;
    auto& software = *node(scenario, "gpu").runtime;
    quantityOf(software, "offload.weights_on_storage").value = forced[random() % forced.size()];
    if (!anyRates)
        return scenario;
    link(scenario, "uplink").type.bandwidth.value = drawn(random, 2e9, 40e9);
    link(scenario, "gpu-host").type.bandwidth.value = drawn(random, 8e9, 60e9);
    link(scenario, "expansion-storage").type.bandwidth.value = drawn(random, 1e9, 16e9);
    storage.device.memoryBandwidth.value = drawn(random, 1e9, 8e9);
    storage.device.writeBandwidth.value = drawn(random, 0.5e9, 4e9);
    storage.device.kernelBandwidth.value = drawn(random, 0.5e9, 12e9);
    storage.device.smallWrite.value = drawn(random, 5e-5, 1e-3);
    quantityOf(software, "offload.host_memory_share").value = drawn(random, 0.15, 0.9);
    const double efficiency = drawn(random, 0.1, 0.6);
    quantityOf(software, "timing.prefill.compute_efficiency").value = efficiency;
    quantityOf(software, "timing.decode.compute_efficiency").value = efficiency;
    return scenario;
}

std::size_t indexOf(const Scenario& scenario, const std::string& id) {
    const auto* found = scenario.findNode({id});
    REQUIRE(found != nullptr);
    return static_cast<std::size_t>(found - scenario.nodes.data());
}

Link& link(Scenario& scenario, const std::string& id) {
    auto* found = scenario.findLink({id});
    REQUIRE(found != nullptr);
    return *found;
}

Node& node(Scenario& scenario, const std::string& id) {
    auto* found = scenario.findNode({id});
    REQUIRE(found != nullptr);
    return *found;
}

Scenario emptySystem() {
    auto scenario = preset("inf2/opt-30b-a100-16csd");
    scenario.nodes.clear();
    scenario.links.clear();
    return scenario;
}

Node& place(Scenario& scenario, const std::string& id, const std::string& device, double count,
            const std::string& runtime) {
    Node node;
    node.id.value = id;
    node.device = catalog().device(device, "test");
    node.count.value = count;
    node.role = isAccelerator(node.device.kind) ? Role::Both : Role::Fabric;
    if (!runtime.empty())
        node.runtime = catalog().runtime(runtime, "test").on(node.device);
    scenario.nodes.push_back(node);
    return scenario.nodes.back();
}

void connect(Scenario& scenario, const std::string& from, const std::string& to, double gigabytesPerSecond) {
    Link link;
    link.id.value = from + "-" + to;
    link.from.value = from;
    link.to.value = to;
    link.type = catalog().linkType("pcie-gen4-x16", "test");
    link.type.bandwidth.value = gigabytesPerSecond * 1e9;
    scenario.links.push_back(link);
}

const Node& node(const Scenario& scenario, const std::string& id) {
    return scenario.nodes[indexOf(scenario, id)];
}

const std::vector<std::string>& offloadingPresets() {
    static const std::vector<std::string> ids{
        "inf2/llama2-70b-h100-16csd", "inf2/llama2-7b-4u280-16csd",  "inf2/llama2-7b-h100-16csd",
        "inf2/opt-175b-a100-16csd",   "inf2/opt-175b-h100-16csd-1k", "inf2/opt-30b-910b-16csd",
        "inf2/opt-30b-a100-16csd",    "inf2/opt-30b-a100-16ssd",     "inf2/opt-30b-a100-uvm",
        "inf2/opt-30b-h100-16csd",    "inf2/opt-30b-h100-16ssd",     "inf2/opt-30b-h100-accelerate"};
    return ids;
}

} // namespace heteroscape::engine::test
