// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput of GLITCHES' systems under backlog: simulation, prototype and closed form.
#include "engine/base/json.h"
#include "engine/evaluation/simulate.h"
#include "engine/serving/closed_form.h"
#include "tests/engine/serving/serving_fixtures.h"
#include "tests/places.h"

#include <array>
#include <nlohmann/json.hpp>

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

TEST_CASE("serving: the closed form with the second hop in the decode is what the simulation gives") {
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
                    const auto nodes = evaluate(scenario).nodes;
                    // 32 layers, int8 K and V of 4096 each, two DMAs of 20 us over 12 GB/s
                    const double hop = 32 * (2 * 20e-6 + 2.0 * 4096 * prompt / 12e9);
                    const std::array<SteadyPool, 2> pools{
                        {{Role::Prefill, 1, nodes[0].prefill.totalSeconds, nodes[0].decode.totalSeconds},
                         {Role::Decode, 7, nodes[2].prefill.totalSeconds,
                          nodes[2].decode.totalSeconds + hop}}};
                    std::array<PoolLoad, 2> loads;
                    const double closed = closedForm(pools, assist, loads).rate * output;
                    CHECK(off(rate(scenario, prompt, output, 8400), closed) < (assist ? 2e-3 : 1e-5));
                }
}
