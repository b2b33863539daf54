// SPDX-License-Identifier: GPL-3.0-or-later
// Designs whose pools are servers: users in a closed loop, mixed, whole, first and static steps, on any
// device.
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/study/largest_within.h"
#include "tests/engine/fixtures.h"

#include <array>
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
    for (auto& node : scenario.nodes)
        if (node.runtime) {
            node.server = catalog().server("vllm", "test");
            for (const auto& field : serverFields())
                ((*node.server).*field.member).value = field.spec.key.ends_with("_factor") ? 1.0 : 0.0;
            node.server->memoryShare.value = 1.0;
        }
    scenario = with(scenario, "nodes.gpu.server.step_ms", "1");
    scenario = with(scenario, "nodes.gpu.server.request_ms", "20");
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

TEST_CASE("served steps: what prompts of a trace have in common is found in a prefix cache") {
    auto scenario = closedLoop("glitches/8a100", "first", "4");
    RequestTrace trace;
    trace.requests.assign(20, {0.0, 1000, 10});
    trace.known.assign(20, 800);
    trace.known.front() = 0;
    scenario.serving.setTrace({"x", std::make_shared<const RequestTrace>(trace), {}});
    const auto warned = [](const Scenario& design, const char* subject) {
        const auto found = validate(design);
        return std::any_of(found.begin(), found.end(),
                           [&](const Diagnostic& one) { return one.subject == subject; });
    };
    CHECK(warned(scenario, "serving.trace"));
    const auto cold = servedBy(scenario);
    REQUIRE_MESSAGE(cold.ran(), cold.reason);
    CHECK(cold.result.pools.front().promptTokens == 20000.0);
    scenario = with(scenario, "serving.prefix_hit", "0.5");
    CHECK_FALSE(warned(scenario, "serving.trace"));
    CHECK_FALSE(warned(scenario, "serving.prefix_hit"));
    CHECK(servedBy(scenario).result.pools.front().promptTokens == 20000.0 - 19.0 * 400.0);
    trace.known.clear();
    scenario.serving.setTrace({"x", std::make_shared<const RequestTrace>(trace), {}});
    CHECK(warned(scenario, "serving.prefix_hit"));
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

TEST_CASE("served steps: sessions come at random or at once too, and a prefix cache finds what they share") {
    for (const auto* arrivals : {"poisson", "backlog"}) {
        CAPTURE(arrivals);
        auto scenario = presetWith("glitches/8a100", {{"serving.arrivals", arrivals},
                                                      {"serving.batching", "mixed"},
                                                      {"serving.requests", "61"},
                                                      {"serving.turns", "3"},
                                                      {"serving.pause_s", "2"}});
        REQUIRE_FALSE(hasErrors(validate(scenario)));
        const auto cold = servedBy(scenario, 1000);
        REQUIRE_MESSAGE(cold.ran(), cold.reason);
        CHECK(cold.result.done == 60); // whole sessions
        CHECK(cold.result.littleError() < 1e-9);
        for (std::size_t i = 1; i < 60; ++i) { // by id: session by session
            const auto& turn = cold.result.requests[i];
            const auto& before = cold.result.requests[i - 1];
            if (i % 3 == 0)
                continue;
            CHECK(turn.request.prompt ==
                  before.request.prompt + before.request.output + scenario.workload.promptTokens.value);
            CHECK(turn.request.arrival == doctest::Approx(before.finish + 2.0).epsilon(1e-12));
        }
        const auto warm = servedBy(with(scenario, "serving.prefix_hit", "1"));
        CHECK(warm.result.pools.front().promptTokens < 0.6 * cold.result.pools.front().promptTokens);
        CHECK(warm.result.outputTokens == cold.result.outputTokens);
        // Pools that are no servers know no sessions.
        CHECK(hasErrors(validate(with(scenario, "serving.batching", "continuous"))));
        // Without turns what all prompts begin with is found.
        scenario = with(scenario, "serving.turns", "1");
        const auto alone = servedBy(scenario);
        const auto shared =
            servedBy(with(with(scenario, "serving.shared_prefix_tokens", "500"), "serving.prefix_hit", "1"));
        CHECK(shared.result.pools.front().promptTokens ==
              alone.result.pools.front().promptTokens - 61.0 * 500.0);
    }
}

TEST_CASE(
    "served steps: urgent requests and short ones go first under every rule and arrivals, on any pool") {
    for (const auto* preset : {"glitches/8u280", "preserve/llama3-70b-8npu"})
        for (const auto* batching : {"mixed", "whole", "first"})
            for (const auto* arrivals : {"backlog", "closed_loop"}) {
                CAPTURE(preset);
                CAPTURE(batching);
                CAPTURE(arrivals);
                auto scenario = closedLoop(preset, batching, "64");
                scenario = with(scenario, "serving.arrivals", arrivals);
                scenario = with(scenario, "serving.requests", "96");
                scenario = with(scenario, "serving.length_ratio", "0.1");
                scenario = with(scenario, "serving.max_sequences", "2");
                REQUIRE_FALSE(hasErrors(validate(scenario)));
                const auto plain = servedBy(scenario, 1000);
                REQUIRE_MESSAGE(plain.ran(), plain.reason);
                const auto urgent = servedBy(with(scenario, "serving.urgent_share", "0.25"), 1000);
                REQUIRE(urgent.result.done == plain.result.done);
                double first = 0.0, others = 0.0; // every fourth is urgent
                for (const auto& served : urgent.result.requests)
                    (served.request.id % 4 == 3 ? first : others) +=
                        (served.firstToken - served.request.arrival) / (served.request.id % 4 == 3 ? 1 : 3);
                CHECK(first < others);
                if (std::string(arrivals) == "backlog")
                    continue; // all prompts are alike
                const auto shortest = servedBy(with(scenario, "serving.shortest_first", "1"));
                CHECK(shortest.result.ttft.mean() < plain.result.ttft.mean());
            }
}

namespace {

/// Two kinds of decode workers behind one prefill worker: FPGAs, and more of them with half the bandwidth.
Scenario twoDecodePools() {
    auto scenario = closedLoop("glitches/a100-7u280", "mixed", "12");
    auto slow = *scenario.findNode({"fpga"});
    slow.id = NodeId{"slow"};
    slow.count.value = 2.0;
    slow.device.memoryBandwidth.value *= 0.5;
    for (const auto& link : std::vector(scenario.links))
        if (link.from == NodeId{"fpga"} || link.to == NodeId{"fpga"}) {
            auto copy = link;
            copy.id = LinkId{"slow-" + link.id.value};
            (copy.from == NodeId{"fpga"} ? copy.from : copy.to) = slow.id;
            scenario.links.push_back(copy);
        }
    scenario.nodes.push_back(slow);
    return scenario;
}

} // namespace

TEST_CASE("served steps: decode pools of different kinds share what is prefilled by how fast they are") {
    const auto scenario = twoDecodePools();
    REQUIRE_FALSE(hasErrors(validate(scenario)));
    const auto serving = servedBy(scenario, 1000);
    REQUIRE_MESSAGE(serving.ran(), serving.reason);
    const auto& result = serving.result;
    CHECK(result.done == 36);
    CHECK(result.littleError() < 1e-9);
    double fast = 0.0, slow = 0.0, decoded = 0.0;
    for (std::size_t p = 0; p < result.pools.size(); ++p) {
        const auto& id = scenario.nodes[serving.poolNodes[p]].id;
        decoded += result.pools[p].outputTokens;
        if (id == NodeId{"fpga"})
            fast = result.pools[p].decodes;
        if (id == NodeId{"slow"})
            slow = result.pools[p].decodes;
    }
    CHECK(fast + slow == 36.0);
    CHECK(slow > 0.0);
    CHECK(fast > 3.0 * slow); // seven to two, of half the rate
    CHECK(decoded + 36.0 == doctest::Approx(result.outputTokens));
    // The timeline: every request is prefilled, transferred and decoded on lanes that do not overlap.
    std::array<double, kServingPhaseCount> seen{};
    for (std::size_t i = 0; i < result.segments.size(); ++i) {
        const auto& segment = result.segments[i];
        seen[static_cast<std::size_t>(segment.phase)] += 1.0;
        const auto role =
            effectiveRole(scenario, scenario.nodes[serving.poolNodes[result.lanes[segment.lane].pool]]);
        CHECK(role == (segment.phase == ServingPhase::Decode ? Role::Decode : Role::Prefill));
        if (i > 0 && segment.lane == result.segments[i - 1].lane)
            CHECK(segment.start >= result.segments[i - 1].end - 1e-9);
    }
    for (const double count : seen)
        CHECK(count == 36.0);
}

TEST_CASE("served steps: a decode pool that runs out of memory evicts, and no token is lost") {
    auto scenario = closedLoop("glitches/a100-7u280", "mixed", "24");
    scenario = with(scenario, "nodes.fpga.count", "1");
    scenario = with(scenario, "workload.batch", "24");
    scenario = with(scenario, "nodes.fpga.device.memory_gb", "12");
    const auto reserved = servedBy(scenario);
    REQUIRE_MESSAGE(reserved.ran(), reserved.reason);
    CHECK(reserved.result.evictions == 0.0);
    scenario = with(with(scenario, "serving.kv_block_tokens", "16"), "serving.kv_reserve", "0");
    for (const auto* swap : {"", "20"}) {
        CAPTURE(swap);
        const auto serving = servedBy(*swap ? with(scenario, "serving.swap_gbps", swap) : scenario);
        REQUIRE_MESSAGE(serving.ran(), serving.reason);
        CHECK(serving.result.evictions > 0.0);
        CHECK(serving.result.done == 72);
        CHECK(serving.result.outputTokens == reserved.result.outputTokens);
        CHECK(serving.result.littleError() < 1e-9);
        CHECK((serving.result.pools.front().promptTokens > reserved.result.pools.front().promptTokens) ==
              !*swap);
    }
}
