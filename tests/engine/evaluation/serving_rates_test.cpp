// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput of GLITCHES' systems under backlog: simulation, prototype and closed form.
#include "engine/base/json.h"
#include "engine/evaluation/simulate.h"
#include "tests/engine/serving/serving_fixtures.h"
#include "tests/places.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// "never/7": policy and stage depth; "default" leaves the stage unset.
Scenario glitches(const std::string& gpu, const std::string& policy, const std::string& stage) {
    return presetWith("glitches/" + gpu + "-7u280",
                      {{"techniques.gpu_assist.enabled", policy == "never" ? "false" : "true"},
                       {"techniques.gpu_assist.preempt", policy == "preempt" ? "true" : "false"},
                       {"techniques.disaggregation.stage", stage == "default" ? "none" : stage}});
}

void setLengths(Scenario& scenario, int prompt, int output) {
    scenario.workload.promptTokens.value = prompt;
    scenario.workload.outputTokens.value = output;
}

double rate(Scenario scenario, int prompt, int output, int requests) {
    setLengths(scenario, prompt, output);
    scenario.serving.arrivals = arrivalsNamed("backlog");
    scenario.serving["requests"].value = requests;
    const auto serving = simulate(scenario, evaluate(scenario));
    REQUIRE(serving.ran());
    CHECK(serving.result.done == static_cast<std::uint64_t>(requests));
    CHECK(serving.result.littleError() < 1e-9);
    return serving.result.tokenRate;
}

double steady(const std::string& id, int prompt, int output) {
    auto scenario = preset(id);
    setLengths(scenario, prompt, output);
    return evaluate(scenario).metric(Metric::Throughput);
}

/// "a100/never/7" in its parts.
std::array<std::string, 3> parts(const std::string& key) {
    const auto first = key.find('/'), last = key.rfind('/');
    return {key.substr(0, first), key.substr(first + 1, last - first - 1), key.substr(last + 1)};
}

} // namespace

TEST_CASE("serving: GLITCHES' rates over 8400 requests of [512, 512]") {
    const auto data = readJsonFile(std::string(heteroscape::places::kTestData) + "/glitches_schedule.json");
    for (const auto& [key, tokens] : data.at("self_checks").items()) {
        CAPTURE(key);
        const auto [gpu, policy, stage] = parts(key);
        CHECK(off(rate(glitches(gpu, policy, stage), 512, 512, 8400), tokens.get<double>()) < 1e-6);
    }
}

TEST_CASE("serving: GLITCHES' averages over 16 pairs of lengths, 800 requests each") {
    const auto data = readJsonFile(std::string(heteroscape::places::kTestData) + "/glitches_schedule.json");
    CHECK(data.at("averages_16_pairs").size() == 8);
    for (const auto& [key, wanted] : data.at("averages_16_pairs").items()) {
        CAPTURE(key);
        const auto [gpu, policy, stage] = parts(key);
        const auto scenario = glitches(gpu, policy, stage);
        double overGpu = 0.0, overFpga = 0.0;
        for (const auto& pair : wanted.at("rates")) {
            const int prompt = pair.at(0), output = pair.at(1);
            CAPTURE(prompt);
            CAPTURE(output);
            const double tokens = rate(scenario, prompt, output, 800);
            CHECK(off(tokens, pair.at(2).get<double>()) < 1e-6);
            overGpu += tokens / steady("glitches/8" + gpu, prompt, output) / 16.0;
            overFpga += tokens / steady("glitches/8u280", prompt, output) / 16.0;
        }
        CHECK(off(overGpu, wanted.at("vs_8_gpu").get<double>()) < 1e-6);
        CHECK(off(overFpga, wanted.at("vs_8_u280").get<double>()) < 1e-6);
    }
}

TEST_CASE("serving: the closed form of GLITCHES' systems is what the simulation gives") {
    for (const std::string gpu : {"a100", "v100s"})
        for (const int prompt : {128, 512, 1024, 1536})
            for (const int output : {128, 512, 1024, 1536})
                for (const bool assist : {false, true}) {
                    CAPTURE(gpu);
                    CAPTURE(prompt);
                    CAPTURE(output);
                    CAPTURE(assist);
                    auto scenario = glitches(gpu, assist ? "preempt" : "never", "default");
                    setLengths(scenario, prompt, output);
                    const double closed = evaluate(scenario).metric(Metric::Throughput);
                    CHECK(off(rate(scenario, prompt, output, 8400), closed) < (assist ? 2e-3 : 1e-5));
                }
}

TEST_CASE("serving: closed form and simulation agree while KV caches hold what decodes") {
    std::mt19937 random(7);
    const auto drawn = [&](double least, double most) {
        return std::exp(std::uniform_real_distribution<>(std::log(least), std::log(most))(random));
    };
    int held = 0;
    for (int trial = 0; trial < rounds(100, 20); ++trial) {
        auto scenario = preset(trial % 2 == 0 ? "glitches/a100-7u280" : "glitches/v100s-7u280");
        if (trial % 4 == 3) { // a second place to prefill, over another link
            auto node = scenario.nodes.front();
            node.id = NodeId{"other"};
            node.count.value = std::round(drawn(1.0, 8.0));
            auto link = scenario.links.front();
            link.id = LinkId{"other-host"};
            link.from = node.id;
            scenario.nodes.push_back(std::move(node));
            scenario.links.push_back(std::move(link));
        }
        scenario.nodes[0].count.value = std::round(drawn(1.0, 24.0));
        scenario.findNode(NodeId{"fpga"})->count.value = std::round(drawn(1.0, 16.0));
        for (auto& link : scenario.links) {
            link.type.bandwidth.value = drawn(1e9, 60e9);
            link.type.latency.value = drawn(1e-6, 1e-4);
        }
        scenario.workload.batch.value = trial % 3 == 0 ? std::round(drawn(1.0, 4.0)) : 1.0;
        const int prompt = static_cast<int>(drawn(16.0, 4096.0));
        const int output = static_cast<int>(drawn(1.0, 256.0));
        CAPTURE(trial);
        CAPTURE(prompt);
        CAPTURE(output);
        setLengths(scenario, prompt, output);
        const auto e = evaluate(scenario);
        if (!e.feasible)
            continue;
        held += e.nodes[2].decodeBusy < 0.99 && e.nodes[0].prefillBusy < 0.99 ? 1 : 0;
        CHECK(off(rate(scenario, prompt, output, 4000), e.metric(Metric::Throughput)) < 0.01);
    }
    CHECK(held > scaled(20));
}
