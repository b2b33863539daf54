// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/runtime.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("a step that was measured whole takes what was measured, collectives included") {
    const auto e = evaluate(preset("inf2/opt-175b-8a100"));
    REQUIRE(e.feasible);
    CHECK(off(e.metric(Metric::TimePerToken), 4.133) < 1e-12);
}

TEST_CASE("outside of what was measured it is refused, with what was measured and what to do") {
    const std::pair<const char*, const char*> others[] = {{"model", "llama2-7b"},
                                                          {"workload.batch", "8"},
                                                          {"workload.prompt_tokens", "4096"},
                                                          {"workload.output_tokens", "2000"},
                                                          {"nodes.gpu.count", "4"}};
    for (const auto& [path, text] : others) {
        const auto scenario = presetWith("inf2/opt-175b-8a100", {{path, text}});
        const auto e = evaluate(scenario);
        CAPTURE(path);
        CHECK_FALSE(e.feasible);
        CHECK(e.reason.find("opt-175b, batch 16, contexts of 1,000 to 1,100 tokens, 8 x a100-sxm-80gb") !=
              std::string::npos);
        CHECK(e.reason.find("Choose another runtime for") != std::string::npos);
        const auto found = validate(scenario);
        CHECK(std::any_of(found.begin(), found.end(), [](const Diagnostic& one) {
            return one.code == "outside_measurement" && one.subject == "gpu";
        }));
    }
    // A runtime that was not measured for one design runs them all.
    CHECK(evaluate(presetWith("inf2/opt-175b-8a100",
                              {{"nodes.gpu.runtime", "fused-fp16"}, {"workload.batch", "8"}}))
              .feasible);
}

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
