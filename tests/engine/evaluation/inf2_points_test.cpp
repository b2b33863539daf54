// SPDX-License-Identifier: GPL-3.0-or-later
// INF2's model at random points, its anchors and the terms of its layers, against an independent prototype.
#include "engine/base/json.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/offload_fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::string modelId(const std::string& name) {
    static const std::map<std::string, std::string> ids{
        {"OPT-30B", "opt-30b"},      {"OPT-66B", "opt-66b"},        {"OPT-175B", "opt-175b"},
        {"LLaMA-2-7B", "llama2-7b"}, {"LLaMA-2-13B", "llama2-13b"}, {"LLaMA-2-70B", "llama2-70b"}};
    return ids.at(name);
}

std::string acceleratorId(const std::string& name) {
    return name == "A100 40GB" ? "a100-40gb" : "h100-pcie";
}

/// A row of the reference by the names of its columns.
class Row {
public:
    Row(const Json& columns, const Json& row) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            m_values.emplace(columns[i].get<std::string>(), row[i]);
    }
    double number(const std::string& column) const { return m_values.at(column).get<double>(); }
    std::string text(const std::string& column) const { return m_values.at(column).get<std::string>(); }

private:
    std::map<std::string, Json> m_values;
};

/// The system of a row. The prototype knows neither the links of single devices nor the size of storage.
Scenario systemOf(const Row& row) {
    auto scenario =
        inf2System(acceleratorId(row.text("accelerator")), row.text("runtime"), modelId(row.text("model")));
    auto& workload = scenario.workload;
    workload.batch.value = row.number("batch");
    workload.promptTokens.value = row.number("prompt");
    workload.outputTokens.value = row.number("output");
    node(scenario, "host").device.hostMemory.value = row.number("memory_gib") * kGiB;
    auto& storage = node(scenario, "storage");
    storage.count.value = row.number("devices");
    storage.device.memoryBandwidth.value = row.number("ssd_Bps");
    storage.device.kernelBandwidth.value = row.number("kernel_Bps");
    storage.device.smallWrite.value = row.number("write_s");
    auto& runtime = *node(scenario, "gpu").runtime;
    quantityOf(runtime, "offload.weights_on_storage").value = row.number("weights_on_storage");
    quantityOf(runtime, "offload.host_memory_share").value = row.number("host_share");
    quantityOf(runtime, "timing.prefill.compute_efficiency").value = row.number("efficiency");
    quantityOf(runtime, "timing.decode.compute_efficiency").value = row.number("efficiency");
    link(scenario, "uplink").type.bandwidth.value = row.number("uplink_Bps");
    link(scenario, "gpu-host").type.bandwidth.value = row.number("pcie_Bps");
    setTechniques(scenario, {row.text("runtime") == "inf2", row.number("delayed_writeback"),
                             row.number("x_cache") != 0.0});
    return scenario;
}

/// The same with plain SSDs of the same rates in place of the CSDs.
Scenario withPlainSsds(Scenario scenario) {
    auto& device = node(scenario, "storage").device;
    auto ssd = catalog().device("nvme-ssd", "test");
    ssd.memoryBandwidth = device.memoryBandwidth;
    ssd.writeBandwidth = device.writeBandwidth;
    ssd.memoryCapacity = device.memoryCapacity;
    device = ssd;
    return scenario;
}

/// The prototype leaves the gains of norms out of the weights: 2e-5 of them.
constexpr double kNear = 1e-4;

void checkPoint(const Row& row, const Scenario& scenario) {
    const auto e = evaluate(scenario);
    CAPTURE(e.reason);
    REQUIRE(e.feasible == (row.number("feasible") != 0.0));
    if (!e.feasible)
        return;
    const auto& gpu = e.nodes[indexOf(scenario, "gpu")];
    CHECK(off(gpu.prefill.totalSeconds, row.number("prefill_s")) < kNear);
    CHECK(off(gpu.decode.totalSeconds, row.number("decode_s")) < kNear);
    CHECK(off(e.metric(Metric::Throughput), row.number("throughput_tok_s")) < kNear);
    CHECK(std::fabs(gpu.offload.kv.host - row.number("kv_host_share")) < kNear);
    CHECK(std::fabs(gpu.offload.kv.x - row.number("x_share")) < kNear);
    const double weights = scenario.model.parameters() * 2;
    CHECK(std::fabs(gpu.offload.tier(Tier::Host).weights - row.number("weights_host_B")) < kNear * weights);
    CHECK(std::fabs(gpu.offload.tier(Tier::Storage).weights - row.number("weights_storage_B")) <
          kNear * weights);
}

} // namespace

TEST_CASE("INF2 and its baselines equal the prototype at 420 random points") {
    const auto json = readJsonFile(std::string(heteroscape::places::kTestData) + "/inf2_points.json");
    REQUIRE(json.at("points").size() == 420);
    std::map<std::string, int> feasible;
    int infeasible = 0;
    for (const auto& values : json.at("points")) {
        CAPTURE(values.dump());
        const Row row(json.at("columns"), values);
        const auto scenario = systemOf(row);
        checkPoint(row, scenario);
        if (row.text("runtime") != "inf2")
            checkPoint(row, withPlainSsds(scenario)); // what is in the SSDs makes no difference to them
        row.number("feasible") != 0.0 ? ++feasible[row.text("runtime")] : ++infeasible;
    }
    int sum = 0;
    for (const auto& [runtime, count] : feasible)
        sum += count;
    CHECK(sum >= 300);
    CHECK(feasible.size() == 5);
    CHECK(infeasible > 20);
}
