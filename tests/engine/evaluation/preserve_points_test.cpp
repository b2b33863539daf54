// SPDX-License-Identifier: GPL-3.0-or-later
// PRESERVE's two models at random points, against an independent prototype.
#include "engine/base/json.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const Json& reference() {
    static const Json json =
        readJsonFile(std::string(heteroscape::places::kTestData) + "/preserve_points.json");
    return json;
}

/// Memory capacity is no part of the reference.
void setWorkload(Scenario& scenario, const Json& row) {
    scenario.model = catalog().model(row[0], "model");
    auto& node = scenario.nodes.front();
    node.count.value = row[1];
    node.device.memoryCapacity.value = 1e18;
    scenario.workload.batch.value = row[2];
    scenario.workload.promptTokens.value = row[3];
    scenario.workload.outputTokens.value = row[4];
}

} // namespace

TEST_CASE("the ideal cluster equals the prototype at 400 random points") {
    const auto& rows = reference().at("part_a");
    REQUIRE(rows.size() == 400);
    for (const auto& row : rows) {
        CAPTURE(row.dump());
        auto scenario = preset("preserve/llama3-405b-32");
        setWorkload(scenario, row);
        auto& node = scenario.nodes.front();
        node.device.l2Capacity.value = row[5];
        node.device.memoryBandwidth.value = row[6];
        node.device.l2Bandwidth.value = row[7];
        node.device.peakInt8.value = row[8];
        scenario.links.front().type.bandwidth.value = row[9];
        scenario.links.front().type.latency.value = row[10];
        node.runtime->allReduce =
            row[11] == "ring" ? AllReduceConvention::Ring : AllReduceConvention::Literal;
        auto& technique = scenario.techniques[l2Prefetch()];
        technique.enabled = row[12] != "none";
        technique.switchOn(kPrefetchWeights, row[12] != "kv");
        technique.switchOn(kPrefetchKv, row[12] != "weights");
        const auto evaluation = evaluate(scenario);
        REQUIRE(evaluation.feasible);
        const auto& layer = evaluation.nodes.front().layer;
        CHECK(off(evaluation.metric(Metric::TimeToFirstToken), row[13]) < 1e-9);
        CHECK(off(layer.ffnSeconds, row[16]) < 1e-9);
        CHECK(std::fabs(layer.allReduceSeconds - row[17].get<double>()) < 1e-12);
        CHECK(off(evaluation.metric(Metric::Area) / node.count.value, row[18].get<double>() * 1e-6) < 1e-9);
        // The prototype samples decode at four contexts, and its layer half a token earlier.
        CHECK(off(layer.attentionSeconds, row[15]) < 0.001);
        CHECK(off(evaluation.metric(Metric::Latency), row[14]) < 0.001);
    }
}

TEST_CASE("the measured Ascend 910B equals the prototype where rows bound the KV reads") {
    const auto& rows = reference().at("part_b");
    REQUIRE(rows.size() == 100);
    int held = 0;
    int waits = 0;
    for (const auto& row : rows) {
        CAPTURE(row.dump());
        auto scenario = preset("preserve/llama3-70b-4npu-measured");
        setWorkload(scenario, row);
        const auto& node = scenario.nodes.front();
        // A row of 12.59 ns moves 128 B x batch x KV heads; beyond the bandwidth the engine's floor holds.
        const double local = std::max(1.0, std::floor(scenario.model.kvHeads.value / node.count.value));
        const double rowBytes = 128.0 * scenario.workload.batch.value * local;
        const bool withinPeak =
            local == 1.0 || (rowBytes / node.device.memoryBandwidth.value <=
                                 quantityOf(*node.runtime, "timing.decode.kv_row_missed_ns").value &&
                             rowBytes / node.device.l2Bandwidth.value <=
                                 quantityOf(*node.runtime, "timing.decode.kv_row_hit_ns").value);
        // The prototype's prefill communicates for nothing, faster than the link can: two allreduces a layer
        // of the prompt's rows and one of the last tokens, in INT8, each counted once.
        const auto& model = scenario.model;
        const double elements = scenario.workload.batch.value * model.hidden.value *
                                (2.0 * model.layers.value * scenario.workload.promptTokens.value + 1.0);
        const double transfers =
            node.count.value > 1.0 ? elements / scenario.links.front().type.bandwidth.value : 0.0;
        const double later = std::max(0.0, transfers - row[5].get<double>());
        waits += later > 0.0 ? 1 : 0;
        for (const bool prefetch : {false, true}) {
            scenario.techniques[l2Prefetch()].enabled = prefetch;
            const auto evaluation = evaluate(scenario);
            const double expected = row[prefetch ? 7 : 6].get<double>() + later;
            CHECK(off(evaluation.metric(Metric::TimeToFirstToken), row[5].get<double>() + later) < 1e-9);
            if (withinPeak)
                CHECK(off(evaluation.metric(Metric::Latency), expected) < 0.001);
            else
                CHECK(evaluation.metric(Metric::Latency) >= expected);
        }
        held += withinPeak ? 1 : 0;
    }
    CHECK(held >= 60);
    CHECK(waits > 0);
    CHECK(waits < 50);
}
