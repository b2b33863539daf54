// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/runtime.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("what a step was measured for is read, checked and written") {
    const auto& shipped = catalog().runtime("smoothquant-8a100", "").base;
    REQUIRE(shipped.measuredFor);
    CHECK(shipped.measuredFor->devices == 8);
    auto json = writeRuntime(shipped);
    CHECK(readRuntime(json, "x") == shipped);
    json["measured_for"]["context_tokens"] = {1100, 1000};
    CHECK(errorOf([&] { readRuntime(json, "x"); }).find("x.measured_for.context_tokens") !=
          std::string::npos);
    json = writeRuntime(shipped);
    json["timing"]["decode"]["model"] = "roofline";
    json["timing"]["decode"].erase("launch_floor_ms");
    CHECK(errorOf([&] { readRuntime(json, "x"); }).find("x.measured_for") != std::string::npos);
    json = writeRuntime(shipped);
    json.erase("measured_for");
    CHECK_FALSE(readRuntime(json, "x").measuredFor);
}

TEST_CASE("points of a measured step differ by model and device, which decide whether it holds") {
    const auto here = preset("inf2/opt-175b-8a100");
    auto other = here;
    other.model.id = "another";
    CHECK(scenarioKey(here) != scenarioKey(other));
}

TEST_CASE("collectives within a measured step still take their link") {
    const auto scenario = presetWith("preserve/llama3-70b-4npu-measured", {{"nodes.npu.count", "13"},
                                                                           {"workload.batch", "64"},
                                                                           {"workload.prompt_tokens", "2000"},
                                                                           {"workload.output_tokens", "1"}});
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    CHECK(e.links[0].utilisation() <= 1.0 + 1e-9);
    CHECK(e.nodes[0].prefill.bound == Bound::Network);
}
