// SPDX-License-Identifier: GPL-3.0-or-later
// What a simulation says beside times, counted by hand: traffic, busy time, power, room for KV caches.
#include "engine/evaluation/simulate.h"
#include "tests/engine/serving/serving_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// So many requests of the workload's lengths, all there from the beginning.
ServingEvaluation servedBacklog(Scenario& scenario, double requests) {
    scenario.serving.arrivals = arrivalsNamed("backlog");
    scenario.serving["requests"].value = requests;
    auto serving = simulate(scenario, evaluate(scenario));
    REQUIRE(serving.ran());
    REQUIRE(serving.result.done == static_cast<std::uint64_t>(requests));
    return serving;
}

} // namespace

TEST_CASE("simulated loads: links carry the prompts' KV caches as the decode nodes keep them") {
    auto scenario = presetWith("glitches/a100-7u280", {{"workload.prompt_tokens", "300"}});
    REQUIRE(scenario.nodes[0].runtime->kvBits.value == 16.0);
    REQUIRE(scenario.nodes[2].runtime->kvBits.value == 8.0);
    const auto serving = servedBacklog(scenario, 50.0);
    // LLaMA2-7B: K and V of 32 layers, 4096 elements of a byte; over one link to the host, then over seven.
    const double bytes = 50.0 * 300.0 * 2.0 * 32.0 * 4096.0;
    const double seconds = serving.result.seconds();
    CHECK(off(serving.links[0].bytesPerSecond * seconds, bytes) < 1e-12);
    CHECK(off(serving.links[1].bytesPerSecond * seconds, bytes / 7.0) < 1e-12);
}

TEST_CASE("simulated loads: a pool's links carry two allreduces a layer for every token") {
    for (const auto* batching : {"static", "continuous"}) {
        auto scenario = presetWith("preserve/llama3-405b-32", {{"serving.batching", batching}});
        scenario.nodes[0].runtime->allReduce = AllReduceConvention::Ring;
        const auto serving = servedBacklog(scenario, 48.0);
        // 126 layers of 16384 int8 activations; one more allreduce for each row of logits: of every prompt's
        // end, and of every token made. A ring of 32 sends each payload 2 x 31 / 32 times.
        const double rows = 48.0 * (2.0 * 126.0 * (5461.0 + 2731.0) + 1.0 + 2731.0);
        const double bytes = 2.0 * 31.0 / 32.0 * 16384.0 * rows;
        CHECK(off(serving.links[0].bytesPerSecond * serving.result.seconds(), bytes) < 1e-9);
    }
}

TEST_CASE("simulated loads: copies that work and copies that wait make up busy time and power") {
    auto scenario = presetWith("glitches/8a100", {{"workload.batch", "1"}, {"serving.batching", "static"}});
    const auto times = evaluate(scenario).nodes[0];
    const double whole = times.prefill.totalSeconds + times.decode.totalSeconds;
    const double prefill = times.prefill.totalSeconds / whole;
    const double decode = times.decode.totalSeconds / whole;
    // GLITCHES, Table I: 256.6 W in prefill, 167.3 W in decode; an idle card takes 50 W. The host has none.
    const double working = 256.6 * prefill + 167.3 * decode;
    for (const auto& [requests, rounds] : {std::pair(5.0, 1.0), std::pair(13.0, 2.0)}) {
        CAPTURE(requests);
        const auto serving = servedBacklog(scenario, requests);
        CHECK(off(serving.result.seconds(), rounds * whole) < 1e-12);
        const double busy = requests / (8.0 * rounds); // of the eight copies, over the time
        CHECK(off(serving.nodes[0].prefillBusy, busy * prefill) < 1e-12);
        CHECK(off(serving.nodes[0].decodeBusy, busy * decode) < 1e-12);
        CHECK(off(serving.power, 8.0 * (busy * working + (1.0 - busy) * 50.0)) < 1e-12);
    }
}

TEST_CASE("simulated loads: host and storage work while the device that offloads to them does") {
    auto scenario = preset("inf2/opt-30b-a100-16csd");
    const auto serving = servedBacklog(scenario, 2.0 * scenario.workload.batch.value);
    const auto& device = serving.nodes[serving.poolNodes.at(0)];
    CHECK(off(device.busy(), 1.0) < 1e-9); // a backlog leaves one copy no time
    std::size_t users = 0;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto kind = scenario.nodes[i].device.kind;
        if (kind != DeviceKind::Cpu && !isStorage(kind))
            continue;
        ++users;
        CHECK(serving.nodes[i].prefillBusy == device.prefillBusy);
        CHECK(serving.nodes[i].decodeBusy == device.decodeBusy);
    }
    CHECK(users == 2);
}

TEST_CASE("simulated loads: room for KV caches is what the weights leave") {
    auto scenario = preset("glitches/8a100");
    const auto serving = servedBacklog(scenario, 8.0);
    // 6,738,415,616 parameters of two bytes in 80 GB; K and V of a token: 2 x 32 x 4096 of two bytes.
    CHECK(serving.nodes[0].kvTokens == std::floor((80e9 - 2.0 * 6738415616.0) / (4.0 * 32.0 * 4096.0)));
    CHECK(serving.nodes[0].kvTokens == 126882.0);
    CHECK(serving.nodes[0].replicas == 8);
}

TEST_CASE("simulated loads: room for KV caches of what offloads is that of a full batch of equal requests") {
    for (const std::string name : {"inf2/opt-30b-h100-accelerate", "inf2/opt-30b-a100-16ssd"}) {
        CAPTURE(name);
        auto scenario = preset(name);
        const double batch = scenario.workload.batch.value;
        REQUIRE(batch > 1.0);
        const auto trace =
            servingOf({{0.0, 64, 1}, {1.0, 4000000, 1}}); // more tokens than are asked for below
        scenario.serving.arrivals = trace.arrivals;
        scenario.serving["requests"] = trace["requests"];
        scenario.serving.trace = trace.trace;
        const auto serving = simulate(scenario, evaluate(scenario));
        REQUIRE(serving.ran());
        const double each = serving.nodes[serving.poolNodes.at(0)].kvTokens / batch;
        REQUIRE(std::isfinite(each));
        // As many tokens in each request of the workload run, a five-hundredth more do not.
        const auto runs = [&](double tokens) {
            scenario.workload.promptTokens.value = std::floor(tokens) - 1.0;
            scenario.workload.outputTokens.value = 1.0;
            return evaluate(scenario).feasible;
        };
        CHECK(runs(each));
        CHECK_FALSE(runs(1.002 * each));
    }
}
