// SPDX-License-Identifier: GPL-3.0-or-later
// Servers as parts of nodes: their files, what they add to steps, the room for KV caches that they leave.
#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/servers/served_plan.h"
#include "engine/units/units.h"
#include "tests/engine/fixtures.h"
#include "tests/shipped_catalog.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::string refusal(const char* key, const Json& value) {
    auto json = writeServer(catalog().server("vllm", ""));
    json[key] = value;
    try {
        readServer(json, "vllm.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// A step of 16 users at 2,048 tokens each, s.
double tpotOf(const Scenario& scenario) {
    return evaluate(scenario).metric(Metric::TimePerToken);
}

Scenario llamaOn(const char* device) {
    auto scenario =
        presetWith("served/gpt-oss-120b-h100",
                   {{"model", "llama3-1-8b"}, {"nodes.gpu.device", device}, {"workload.batch", "4"}});
    return with(scenario, "nodes.gpu.runtime", "vllm");
}

} // namespace

TEST_CASE("a server's file that says something else is refused with its key") {
    const auto contains = [](const std::string& text, const char* piece) {
        CAPTURE(text);
        CHECK(text.find(piece) != text.npos);
    };
    contains(refusal("layer_us", -1), "vllm.json.layer_us");
    contains(refusal("layer_us", "14"), "vllm.json.layer_us");
    contains(refusal("layer_uss", 14), "layer_uss");
    contains(refusal("batching", "fifo"), "whole");
    CHECK_THROWS_AS(catalog().server("nothing", "here"), Error);
    for (const auto& server : catalog().servers) {
        CHECK(readServer(writeServer(server), "again") == server);
        CHECK_FALSE(server.software.empty());
        CHECK(catalog().runtime(server.runtime, "").base.decode.kind->takesKernelConstants());
    }
}

TEST_CASE("a server is chosen by its id, with measured kernels where there were none, and taken off again") {
    const auto ideal = with(llamaOn("h100-sxm"), "nodes.gpu.runtime", "ideal");
    const auto served = with(ideal, "nodes.gpu.server", "sglang");
    CHECK(served.findNode({"gpu"})->server->id == "sglang");
    CHECK(served.findNode({"gpu"})->runtime->id == "sglang");
    // Measured kernels stay: a server runs those of another as well.
    const auto other = with(llamaOn("h100-sxm"), "nodes.gpu.server", "trtllm");
    CHECK(other.findNode({"gpu"})->runtime->id == "vllm");
    CHECK_FALSE(with(other, "nodes.gpu.server", "none").findNode({"gpu"})->server);
    CHECK_THROWS_AS(with(ideal, "nodes.gpu.server", "tgi"), Error);
    CHECK_THROWS_AS(with(ideal, "nodes.gpu.server.layer_us", "3"), Error); // there is none
    CHECK(with(served, "nodes.gpu.server.layer_us", "3").findNode({"gpu"})->server->layer.value == 3e-6);
}

TEST_CASE("the factor on kernels is on all but the head's, that on experts on routed experts") {
    const auto plain = with(llamaOn("h100-sxm"), "nodes.gpu.server", "vllm");
    const auto at = [&](const Scenario& scenario, const char* path, const char* value) {
        return tpotOf(with(scenario, path, value));
    };
    const double one = at(plain, "nodes.gpu.server.kernel_factor", "1");
    const double two = at(plain, "nodes.gpu.server.kernel_factor", "2");
    const double three = at(plain, "nodes.gpu.server.kernel_factor", "3");
    CHECK(three - two == doctest::Approx(two - one).epsilon(1e-9));
    CHECK(two < 2 * one); // the head stays
    CHECK(two > 1.8 * one);
    CHECK(at(plain, "nodes.gpu.server.expert_factor", "2") == tpotOf(plain)); // there are none
    auto mixture = presetWith("served/gpt-oss-120b-h100", {{"nodes.gpu.server", "vllm"}});
    CHECK(at(mixture, "nodes.gpu.server.expert_factor", "2") > 1.2 * tpotOf(mixture));
}

TEST_CASE("a server leaves KV caches what its share of the memory and the rest leave") {
    Server server;
    server.memoryShare.value = 0.9;
    server.memoryOfFree.value = 0;
    server.memoryRest.value = 4e9;
    CHECK(kvRoom(server, 80e9, 30e9) == doctest::Approx(80e9 * 0.9 - 34e9));
    server.memoryOfFree.value = 1;
    CHECK(kvRoom(server, 80e9, 30e9) == doctest::Approx((80e9 - 34e9) * 0.9));
    server.memoryOfFree.value = 0;
    CHECK(kvRoom(server, 40e9, 30e9) == doctest::Approx(40e9 * 0.9 - 32e9)); // smaller steps on less
    // silicon_serving.md, section 3, counts weights without routers and the head twice.
    const GpuServers servers(catalog(), shippedKernels());
    const auto tokens = [&](const char* model, const char* system, const char* backend, const char* precision,
                            const ServedLayout& layout) {
        RecipeLabels labels;
        labels.model = model;
        labels.system = system;
        labels.backend = backend;
        labels.precision = labels.denseFormat = labels.expertFormat = precision;
        const auto design = servedScenario(servers, servers.plan(labels, layout));
        return CompiledPool(design, 0).kvTokens() / layout.dp;
    };
    CHECK(tokens("llama3-1-70b", "h100_sxm", "vllm", "fp8", {2, 1, 2, 1}) ==
          doctest::Approx(224079).epsilon(0.03));
    CHECK(tokens("gpt-oss-120b", "h100_sxm", "vllm", "fp4", {2, 1, 2, 1}) ==
          doctest::Approx(2111150).epsilon(0.03));
    CHECK(tokens("deepseek-v3", "h200_sxm", "trtllm", "fp8", {1, 8, 1, 8}) ==
          doctest::Approx(956238).epsilon(0.03));
    CHECK(tokens("deepseek-v3", "h100_sxm", "vllm", "fp8", {1, 1, 1, 1}) < 0);
}

TEST_CASE("a server's memory is what the driver reports") {
    const auto reported = [](const char* device) {
        Node node;
        node.device = catalog().device(device, "test");
        CHECK(node.deviceMemory() == node.device.memoryCapacity.value); // nothing serves
        node.server = catalog().server("vllm", "test");
        return std::round(node.deviceMemory() / units::MiB / 100);
    };
    CHECK(reported("h100-sxm") == 816);
    CHECK(reported("h200-sxm") == 1438);
    CHECK(reported("a100-80gb") == 819);
    CHECK(reported("l40s") == 461);
    CHECK(reported("b200-sxm") == 1834);
    const auto design = presetWith("served/gpt-oss-120b-h100", {{"nodes.gpu.server", "vllm"}});
    CHECK(evaluate(design).nodes[0].memoryCapacity == doctest::Approx(81559 * units::MiB).epsilon(1e-5));
    const auto twice = with(design, "nodes.gpu.device.memory_gb", "160"); // what is set, counts
    CHECK(evaluate(twice).nodes[0].memoryCapacity == doctest::Approx(2 * 81559 * units::MiB).epsilon(1e-5));
}

TEST_CASE("a server leaves the KV caches that logs of vLLM tell, within a tenth") {
    // Of an RTX 4090, whose driver reports 24,564 MiB; that of Gemma-4-31B has 61.4 GB of weights.
    const auto on4090 = [](const std::vector<std::pair<std::string, std::string>>& settings) {
        auto design = presetWith("served/gpt-oss-120b-h100",
                                 {{"nodes.gpu.device", "l40s"}, {"nodes.gpu.device.memory_gb", "24"}});
        for (const auto& [path, value] : settings)
            design = with(design, path, value);
        design.nodes[0].device.memoryReported.value = 24564 * units::MiB / 24e9;
        REQUIRE(design.nodes[0].server);
        return CompiledPool(design, 0).kvTokens();
    };
    CHECK(on4090({{"model", "llama3-1-8b"}}) == doctest::Approx(41408).epsilon(0.1));
    CHECK(on4090({{"model", "qwen3-8b"}, // as Qwen3-14B
                  {"model.layers", "40"},
                  {"model.hidden", "5120"},
                  {"model.heads", "40"},
                  {"model.ffn", "17408"},
                  {"nodes.gpu.count", "2"},
                  {"nodes.gpu.replicas", "1"}}) == doctest::Approx(81536).epsilon(0.1));
    CHECK(kvRoom(catalog().server("vllm", "test"), 143771 * units::MiB, 61.4e9) ==
          doctest::Approx(64.7 * units::GiB).epsilon(0.1));
}
