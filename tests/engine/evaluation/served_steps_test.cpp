// SPDX-License-Identifier: GPL-3.0-or-later
// Designs whose pools are servers: users in a closed loop, mixed, whole, first and static steps, on any
// device.
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study/largest_within.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Scenario closedLoop(const std::string& preset, const std::string& batching, const std::string& users) {
    return presetWith(preset, {{"serving.arrivals", "closed_loop"},
                               {"serving.batching", batching},
                               {"serving.users", users},
                               {"serving.waves", "3"},
                               {"workload.batch", "4"}});
}

ServingEvaluation servedBy(const Scenario& scenario, std::uint64_t recorded = 0) {
    SimulationOptions options;
    options.recorded = recorded;
    return simulate(scenario, evaluate(scenario), options);
}

double metricOf(const Scenario& scenario, Metric metric) {
    auto evaluation = evaluate(scenario);
    setServingMetrics(simulate(scenario, evaluation), evaluation);
    return evaluation.metric(metric);
}

} // namespace

TEST_CASE("served steps: GPUs and FPGAs serve a closed loop under every rule") {
    for (const auto* preset : {"glitches/8a100", "glitches/8u280"})
        for (const auto* batching : {"mixed", "whole", "first", "static"}) {
            CAPTURE(preset);
            CAPTURE(batching);
            const auto scenario = closedLoop(preset, batching, "12");
            REQUIRE_FALSE(hasErrors(validate(scenario)));
            const auto serving = servedBy(scenario, 1000);
            REQUIRE(serving.ran());
            const auto& result = serving.result;
            CHECK(result.done == 36);
            CHECK(result.ttft.count() == 36);
            CHECK(result.firstWave.count() == 12);
            CHECK(result.later.count() == 24);
            CHECK(result.littleError() < 1e-9);
            CHECK(result.requests.size() == 36);
            CHECK(result.depth.mean().total() <= 12.0 + 1e-9);
            const double prompts = result.pools.front().promptTokens;
            CHECK(prompts > 36 * 0.8 * scenario.workload.promptTokens.value - 36);
            CHECK(prompts <= 36 * scenario.workload.promptTokens.value);
            // What decode steps gave, and a first token each.
            CHECK(result.pools.front().outputTokens + 36.0 == doctest::Approx(result.outputTokens));
            for (std::size_t i = 1; i < result.segments.size(); ++i)
                if (result.segments[i].lane == result.segments[i - 1].lane)
                    CHECK(result.segments[i].start >= result.segments[i - 1].end - 1e-9);
        }
}

TEST_CASE("served steps: CSDs and an NPU serve whole batches of a closed loop") {
    for (const auto* preset : {"inf2/opt-30b-a100-16csd", "inf2/opt-30b-910b-16csd"}) {
        CAPTURE(preset);
        auto scenario = closedLoop(preset, "static", "8");
        scenario = with(scenario, "serving.waves", "2");
        REQUIRE_FALSE(hasErrors(validate(scenario)));
        const auto serving = servedBy(scenario);
        REQUIRE_MESSAGE(serving.ran(), serving.reason);
        CHECK(serving.result.done == 16);
        CHECK(serving.result.littleError() < 1e-9);
        CHECK(serving.result.ttft.mean() > 0.0);
        // The mean step is that of the batch in steady state, nearly: fewer run when answers end.
        const double steady = evaluate(scenario).metric(Metric::TimePerToken);
        CHECK(serving.result.tpot.mean() < 1.1 * steady);
        CHECK(serving.result.tpot.mean() > 0.3 * steady);
        // What it offloads is laid out for whole batches, whatever is chosen.
        const auto cut = servedBy(with(scenario, "serving.batching", "mixed"));
        REQUIRE_MESSAGE(cut.ran(), cut.reason);
        CHECK(cut.result.ttft.mean() == serving.result.ttft.mean());
    }
}

TEST_CASE("served steps: one user alone takes a prefill and his steps") {
    auto scenario = closedLoop("glitches/8a100", "mixed", "1");
    scenario = with(scenario, "serving.length_ratio", "1");
    const auto evaluation = evaluate(scenario);
    const auto serving = servedBy(scenario);
    const auto& result = serving.result;
    auto alone = with(scenario, "workload.batch", "1");
    CHECK(result.ttft.mean() ==
          doctest::Approx(evaluate(alone).metric(Metric::TimeToFirstToken)).epsilon(1e-6));
    CHECK(result.ttft.largest() == doctest::Approx(result.ttft.quantile(0.0)).epsilon(1e-9));
    // Host times stand on top.
    scenario = with(scenario, "serving.host_step_ms", "1");
    scenario = with(scenario, "serving.request_ms", "20");
    const auto slower = servedBy(scenario);
    CHECK(slower.result.tpot.mean() == doctest::Approx(result.tpot.mean() + 1e-3).epsilon(1e-9));
    // 20 ms on its way, half of them as think time where it is not the first, and the step's.
    const double waves = 3.0;
    CHECK(slower.result.ttft.mean() ==
          doctest::Approx(result.ttft.mean() + 21e-3 + 10e-3 * (waves - 1.0) / waves).epsilon(1e-9));
    CHECK(evaluation.feasible);
}

TEST_CASE(
    "served steps: Poisson arrivals and a backlog are served too, and KV caches that grow are evicted") {
    for (const auto* arrivals : {"poisson", "backlog"}) {
        CAPTURE(arrivals);
        auto scenario = presetWith("glitches/8a100", {{"serving.arrivals", arrivals},
                                                      {"serving.batching", "mixed"},
                                                      {"serving.requests", "60"},
                                                      {"nodes.gpu.count", "1"},
                                                      {"serving.kv_block_tokens", "16"},
                                                      {"serving.kv_reserve", "0"}});
        scenario = with(scenario, "nodes.gpu.device.memory_gb", "16");
        const auto recomputed = servedBy(scenario);
        REQUIRE_MESSAGE(recomputed.ran(), recomputed.reason);
        CHECK(recomputed.result.done == 60);
        CHECK(recomputed.result.littleError() < 1e-9);
        CHECK(recomputed.result.outputTokens == 60.0 * scenario.workload.outputTokens.value);
        if (std::string(arrivals) != "backlog")
            continue;
        CHECK(recomputed.result.evictions > 0.0);
        CHECK(metricOf(scenario, Metric::Evictions) == recomputed.result.evictions);
        const auto swapped = servedBy(with(scenario, "serving.swap_gbps", "20"));
        CHECK(swapped.result.evictions > 0.0);
        CHECK(swapped.result.pools.front().promptTokens < recomputed.result.pools.front().promptTokens);
    }
}

TEST_CASE("served steps: sessions have their history in the prompt, and a prefix cache saves its prefill") {
    auto scenario = closedLoop("glitches/8a100", "first", "4");
    scenario = with(scenario, "serving.turns", "3");
    const auto cold = servedBy(scenario);
    REQUIRE(cold.ran());
    CHECK(cold.result.done == 36);
    const auto warm = servedBy(with(scenario, "serving.prefix_hit", "1"));
    CHECK(warm.result.pools.front().promptTokens < 0.6 * cold.result.pools.front().promptTokens);
    CHECK(warm.result.ttft.mean() < cold.result.ttft.mean());
    CHECK(warm.result.outputTokens == cold.result.outputTokens);
}

TEST_CASE("served steps: metrics are explained by what was counted") {
    auto scenario = closedLoop("glitches/8a100", "mixed", "32");
    scenario = with(scenario, "serving.e2e_limit_s", "10");
    scenario = with(scenario, "serving.kv_block_tokens", "16");
    auto evaluation = evaluate(scenario);
    const auto serving = simulate(scenario, evaluation);
    setServingMetrics(serving, evaluation);
    for (const auto metric : {Metric::WithinLimits, Metric::FirstTokenFirstWave, Metric::FirstTokenLater,
                              Metric::UserRate, Metric::Evictions, Metric::Goodput}) {
        CAPTURE(metricSpec(metric).key);
        CHECK(std::isfinite(evaluation.metric(metric)));
        CHECK(explainServingMetric(scenario, serving, metric).value() ==
              doctest::Approx(evaluation.metric(metric)).epsilon(1e-12));
    }
    CHECK(evaluation.metric(Metric::FirstTokenFirstWave) > evaluation.metric(Metric::FirstTokenLater));
}

TEST_CASE("served steps: the largest number of users within limits at a percentile") {
    auto scenario = closedLoop("glitches/8a100", "mixed", "1");
    scenario = with(scenario, "serving.tpot_limit_s", "0.0245");
    const auto found = largestWithin(scenario, "serving.users", {parseLimit("within_limits_share>=0.95")});
    CHECK(found.value >= 1.0);
    CHECK_FALSE(found.stop.empty());
    const auto at = [&](double users) {
        return metricOf(with(scenario, "serving.users", std::to_string(static_cast<int>(users))),
                        Metric::WithinLimits);
    };
    CHECK(at(found.value) >= 0.95);
    CHECK(at(found.value + 1.0) < 0.95);
}

TEST_CASE("served steps: what cannot be served says why") {
    auto scenario = closedLoop("glitches/8a100", "continuous", "4");
    CHECK(hasErrors(validate(scenario)));
    const auto assisted =
        with(closedLoop("glitches/a100-7u280", "mixed", "4"), "techniques.gpu_assist.enabled", "true");
    CHECK(servedBy(assisted).reason.find("GPU assist") != std::string::npos);
}

TEST_CASE("served steps: a GPU prefills for FPGAs, and no link carries more than it can") {
    auto scenario = closedLoop("glitches/a100-7u280", "mixed", "14");
    scenario = with(scenario, "techniques.gpu_assist.enabled", "false");
    const auto serving = servedBy(scenario, 100);
    REQUIRE_MESSAGE(serving.ran(), serving.reason);
    const auto& result = serving.result;
    CHECK(result.done == 42);
    CHECK(result.littleError() < 1e-9);
    CHECK(result.requests.size() == 42);
    double busy = 0.0;
    for (const auto& node : serving.nodes) {
        CHECK(node.busy() <= 1.0 + 1e-9);
        busy += node.busy();
    }
    CHECK(busy > 0.1);
    bool crossed = false;
    for (const auto& link : serving.links) {
        CHECK(link.utilisation() <= 1.0 + 1e-9);
        crossed |= link.bytesPerSecond > 0.0;
    }
    CHECK(crossed);
    // A link a hundred times slower holds requests up, and is full at most.
    auto slow = scenario;
    for (auto& link : slow.links)
        link.type.bandwidth.value /= 100.0;
    const auto held = servedBy(slow);
    REQUIRE(held.ran());
    CHECK(held.result.ttft.mean() > result.ttft.mean());
    for (const auto& link : held.links)
        CHECK(link.utilisation() <= 1.0 + 1e-9);
}

TEST_CASE("served steps: a rate that swings over the day keeps its mean") {
    auto scenario = presetWith("glitches/8a100", {{"serving.arrivals", "poisson"},
                                                  {"serving.requests", "20000"},
                                                  {"serving.rate_req_s", "2"},
                                                  {"serving.rate_swing", "0.8"},
                                                  {"serving.rate_period_s", "500"}});
    RequestStream stream(scenario.serving, scenario.workload);
    double last = 0.0, high = 0.0, low = 0.0;
    while (const auto request = stream.next()) {
        last = request->arrival;
        (std::fmod(last, 500.0) < 250.0 ? high : low) += 1.0;
    }
    CHECK(20000.0 / last == doctest::Approx(2.0).epsilon(0.03));
    // The halves of a sine of height 0.8: 1 +- 0.8 x 2 / pi.
    CHECK(high / low == doctest::Approx((1.0 + 1.6 / 3.14159265) / (1.0 - 1.6 / 3.14159265)).epsilon(0.05));
}
