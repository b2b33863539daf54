// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/simulate.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/service_tables.h"
#include "engine/techniques/built_in.h"
#include "tests/engine/serving/serving_fixtures.h"

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("simulate: a request alone takes what the evaluation says, on every preset") {
    std::size_t checked = 0;
    for (const auto& info : listPresets(catalog())) {
        auto scenario = preset(info.id);
        scenario.workload.batch.value = 1.0;
        scenario.techniques[gpuAssist()].enabled = false; // so that every request takes the same way
        scenario.serving.arrivals = arrivalsNamed("poisson");
        scenario.serving["rate_req_s"].value = 1e-6;
        scenario.serving["requests"].value = 3.0;
        const auto evaluation = evaluate(scenario);
        const auto serving = simulate(scenario, evaluation);
        CAPTURE(info.id);
        if (!evaluation.feasible)
            continue;
        REQUIRE(serving.ran());
        ++checked;
        CHECK(serving.result.done == 3);
        CHECK(off(serving.result.ttft.mean(), evaluation.metric(Metric::TimeToFirstToken)) < 1e-9);
        CHECK(off(serving.result.latency.mean(), evaluation.metric(Metric::Latency)) < 1e-9);
    }
    CHECK(checked > 10);
}

TEST_CASE("simulate: every preset serves a backlog to its end, with any batch") {
    for (const auto& info : listPresets(catalog()))
        for (const auto batching : {batchingNamed("static"), batchingNamed("continuous")})
            for (const double batch : {1.0, 16.0}) {
                auto scenario = preset(info.id);
                scenario.workload.batch.value = batch;
                scenario.serving.arrivals = arrivalsNamed("backlog");
                scenario.serving.batching = batching;
                scenario.serving["requests"].value = 50.0;
                const auto serving = simulate(scenario, evaluate(scenario));
                CAPTURE(info.id);
                CAPTURE(batch);
                if (!serving.ran()) {
                    CHECK_FALSE(evaluate(scenario).feasible); // and it says why
                    continue;
                }
                const auto& result = serving.result;
                CHECK(result.done + result.refused == 50);
                CHECK(result.queued + result.running == 0);
                CHECK(result.littleError() < 1e-9);
                for (const auto& node : serving.nodes) {
                    CHECK(node.prefillBusy >= 0.0);
                    CHECK(node.busy() <= 1.0 + 1e-9);
                    CHECK(node.transferBusy <= 1.0 + 1e-9);
                }
                for (const auto& link : serving.links)
                    CHECK(link.bytesPerSecond >= 0.0);
                if (result.done > 0)
                    CHECK((std::isnan(serving.power) || serving.power > 0.0));
            }
}

TEST_CASE("what does not fit is said, though sweeps do without words") {
    for (const auto* name : {"inf2/opt-30b-a100-16csd", "glitches/a100-7u280"}) {
        auto scenario = preset(name);
        scenario.workload.batch.value = 65536;
        scenario.serving.arrivals = arrivalsNamed("backlog");
        scenario.serving["requests"].value = 5;
        const auto whole = evaluate(scenario);
        REQUIRE_FALSE(whole.feasible);
        REQUIRE_FALSE(whole.reason.empty());
        Evaluation brief;
        evaluateInto(scenario, brief);
        CHECK(brief.reason.empty());
        CHECK(brief.shortNode == whole.shortNode);
        const auto after = simulate(scenario, brief), before = simulate(scenario, whole);
        CHECK(after.reason == before.reason);
        CHECK(after.ran() == before.ran());
        if (std::string_view(name).starts_with("inf2")) // its batches are laid out whole
            CHECK(after.reason == whole.reason);
        const auto gains = techniqueGains(scenario);
        REQUIRE_FALSE(gains.empty());
        for (const auto& gain : gains)
            CHECK((gain.comparable || gain.reason == whole.reason));
        CHECK(std::any_of(gains.begin(), gains.end(), [](const auto& gain) { return !gain.comparable; }));
    }
}

TEST_CASE("simulate: traces longer than the workload do not stop the system") {
    // A U280 holds fewer of these requests than the A100 prefills together.
    for (const auto* batching : {"static", "continuous"})
        for (const auto* assist : {"false", "true"}) {
            auto scenario = presetWith("glitches/a100-7u280", {{"workload.batch", "16"},
                                                               {"serving.batching", batching},
                                                               {"techniques.gpu_assist.enabled", assist}});
            std::vector<TracedRequest> requests;
            for (std::uint32_t i = 0; i < 120; ++i)
                requests.push_back({0.1 * i, 100 + 137 * i, 1 + 11 * i});
            const auto trace = servingOf(requests);
            scenario.serving.arrivals = trace.arrivals;
            scenario.serving["requests"] = trace["requests"];
            scenario.serving.trace = trace.trace;
            const auto serving = simulate(scenario, evaluate(scenario));
            REQUIRE(serving.ran());
            CAPTURE(batching);
            CAPTURE(assist);
            CHECK(serving.result.done + serving.result.refused == 120);
            CHECK(serving.result.done > 80);
        }
}

TEST_CASE(
    "service tables: a chunk that is a whole prompt is a prefill; steps add up; batches cost at least one") {
    const auto scenario = preset("glitches/8a100");
    const RequestLengths lengths{128.0, 2048.0, 4096.0};
    ServiceTables tables(scenario, 0, lengths, 8.0);
    const DecodeBatch none{0.0, 0.0, 0.0, 0.0};
    for (const double prompt : {128.0, 777.0, 2048.0}) {
        CAPTURE(prompt);
        CHECK(off(tables.chunk(prompt, 0.0, none).whole, tables.prefill(1.0, prompt, 512.0)) < 1e-12);
        // In two halves every weight is read twice, and attention sees each key that a prefill sees, or
        // fewer.
        const double halves = tables.chunk(prompt / 2.0, 0.0, none).whole +
                              tables.chunk(prompt / 2.0, prompt / 2.0, none).whole;
        CHECK(halves > 0.5 * tables.prefill(1.0, prompt, 512.0));
        for (const double requests : {1.0, 7.0}) {
            const DecodeBatch batch{requests, prompt, prompt, 512.0};
            double sum = 0.0;
            for (double i = 0.0; i < 100.0; i += 1.0)
                sum += tables.decode({requests, prompt + i, prompt, 512.0}, 1.0);
            CHECK(off(tables.decode(batch, 100.0), sum) < 1e-9);
            CHECK(tables.decode(batch, 0.0) == 0.0);
            CHECK(tables.decode(batch, 1.0) >= tables.decode({1.0, prompt, prompt, 512.0}, 1.0));
            CHECK(tables.chunk(64.0, 0.0, batch).whole >= tables.decode(batch, 1.0));
            CHECK(tables.chunk(64.0, 0.0, batch).whole >= tables.chunk(64.0, 0.0, none).whole);
        }
    }
}

TEST_CASE("service tables: a chunk attends to what was prefilled before it, by hand") {
    auto scenario = preset("glitches/8a100");
    scenario.nodes[0].runtime->operators = OperatorStyle::Fused;
    scenario.nodes[0].device.memoryBandwidth.value = 1e18; // so that compute alone takes time
    ServiceTables tables(scenario, 0, {128.0, 2048.0, 4096.0}, 8.0);
    const DecodeBatch none{0.0, 0.0, 0.0, 0.0};
    const auto& timing = scenario.nodes[0].runtime->prefill;
    const double rate = 312e12 * timing.kind->computeShare(timing.settings);
    for (const double tokens : {512.0, 1000.0, 2048.0}) // enough to pass the time of the launches
        for (const double done : {1.0, 100.0, 1500.0}) {
            CAPTURE(tokens);
            CAPTURE(done);
            // LLaMA2-7B: 4 FLOPs for each token, key before the chunk, and element of Q, in 32 layers
            const double seconds = 4.0 * tokens * done * 4096.0 * 32.0 / rate;
            const double more =
                tables.chunk(tokens, done, none).whole - tables.chunk(tokens, 0.0, none).whole;
            CHECK(off(more, seconds) < 1e-6);
        }
}
