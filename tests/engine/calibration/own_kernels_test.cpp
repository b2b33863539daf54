// SPDX-License-Identifier: GPL-3.0-or-later
// Constants that a runtime brings along: in a design, its key and its step.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_json.h"
#include "engine/scenario/scenario_key.h"
#include "engine/timing/kernels/own_constants.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The shipped constants of one GEMM, one of them times a factor.
KernelConstants gemmConstants(const std::string& key, double factor) {
    const std::vector<std::string> names{"hopper", "trtllm", "bfloat16"};
    auto catalog = kernels();
    KernelConstants own;
    own.calibratedOn = "mine.csv";
    own.rows = 120;
    own.errors = {40, 4.2, 12.5, true};
    KernelConstants::Entry entry;
    entry.family = "gemm";
    entry.names = {{"arch", names[0]}, {"framework", names[1]}, {"precision", names[2]}};
    for (const auto& constant : constantsOf(catalog, "gemm", names))
        entry.values[std::string(constant.key)] = *constant.value * (constant.key == key ? factor : 1.0);
    own.entries.push_back(std::move(entry));
    return own;
}

Scenario ownDesign() {
    return presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.device", "h100-sxm"},
                                                    {"nodes.gpu.runtime", "trtllm"},
                                                    {"nodes.gpu.server", "none"},
                                                    {"techniques.l2_prefetch.enabled", "false"}});
}

Scenario designWith(const KernelConstants& own) {
    auto scenario = ownDesign();
    for (auto& node : scenario.nodes)
        if (node.runtime)
            node.runtime->ownKernels = OwnKernels(own);
    return scenario;
}

double tpot(const Scenario& scenario) {
    return evaluate(scenario).metric(Metric::TimePerToken);
}

} // namespace

TEST_CASE("a step is timed with the constants of its runtime") {
    const double shipped = tpot(ownDesign());
    CHECK(tpot(designWith(gemmConstants("t_launch", 1.0))) == shipped); // the same constants: the same bits
    // Four linear layers in each of 80 layers, and the head: 321 launches.
    const double launch = kernels().gemm.require({"hopper", "trtllm", "bfloat16"}).constants.launch;
    CHECK(tpot(designWith(gemmConstants("t_launch", 2.0))) - shipped ==
          doctest::Approx(321 * launch * 1e-6).epsilon(1e-6));
    CHECK(tpot(designWith(gemmConstants("e_m", 0.5))) > 1.2 * shipped);
}

TEST_CASE("constants travel in the design") {
    const auto own = designWith(gemmConstants("e_m", 0.8));
    const auto json = writeScenario(own);
    const auto again = readScenario(json, catalog(), "design");
    CHECK(again == own);
    CHECK(writeScenario(again).dump() == json.dump());
    CHECK(tpot(again) == tpot(own));
    CHECK_FALSE(again == designWith(gemmConstants("e_m", 0.9)));
    CHECK_FALSE(again == ownDesign());
    CHECK(writeScenario(ownDesign()).dump().find("kernel_constants") == std::string::npos);
}

TEST_CASE("the key of a point tells constants apart, and is as it was without any") {
    const auto key = [](const Scenario& scenario) { return scenarioKey(scenario); };
    CHECK(key(designWith(gemmConstants("e_m", 0.8))) == key(designWith(gemmConstants("e_m", 0.8))));
    CHECK(key(designWith(gemmConstants("e_m", 0.8))) != key(designWith(gemmConstants("e_m", 0.9))));
    CHECK(key(designWith(gemmConstants("e_m", 0.8))) != key(ownDesign()));
}

TEST_CASE("a runtime with constants that no kernel has is refused by key") {
    const auto refused = [](auto change) {
        auto own = gemmConstants("e_m", 1.0);
        change(own);
        auto json = writeRuntime(catalog().runtime("trtllm", "").base);
        json["kernel_constants"] = writeKernelConstants(own);
        return errorOf([&] { readRuntime(json, "x"); });
    };
    const auto holds = [](const std::string& text, const char* part) {
        CAPTURE(text);
        CHECK(text.find(part) != std::string::npos);
    };
    holds(refused([](KernelConstants& own) { own.entries[0].family = "gem"; }), "x.kernel_constants: ");
    holds(refused([](KernelConstants& own) { own.entries[0].values["e_m"] = 7; }), "e_m: 7 is out of range");
    holds(refused([](KernelConstants& own) { own.entries[0].values.erase("e_m"); }), "there is no e_m");
    holds(refused([](KernelConstants& own) { own.entries.clear(); }), "x.kernel_constants.entries");
    holds(refused([](KernelConstants& own) { own.rows = 0; }), "x.kernel_constants.rows: 0 is out of range");
    auto ideal = writeRuntime(catalog().runtime("ideal", "").base);
    ideal["kernel_constants"] = writeKernelConstants(gemmConstants("e_m", 1.0));
    holds(errorOf([&] { readRuntime(ideal, "x"); }), "does not time with constants of kernels");
}

TEST_CASE("what is calibrated says on what") {
    CHECK(gemmConstants("e_m", 1.0).text() == "calibrated on mine.csv, 120 rows, \u00b14.2 %");
}
