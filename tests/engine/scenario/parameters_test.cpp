// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/parameters.h"

#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("every listed parameter can be read, and set to its own value without a change") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto parameters = listParameters(scenario, catalog());
    CHECK(parameters.size() > 80);
    for (const auto& parameter : parameters) {
        CAPTURE(parameter.path);
        const auto text = parameterText(scenario, parameter);
        if (text.empty())
            continue;
        auto copy = scenario;
        applyEdit(copy, setEdit(copy, catalog(), parameter.path, text));
        CHECK(scenarioKey(copy) == scenarioKey(scenario));
    }
}

TEST_CASE("numbers are set in the shown unit") {
    auto scenario = presetWith("glitches/a100-7u280", {{"nodes.gpu.device.memory_bandwidth_gbps", "2000"},
                                                       {"nodes.gpu.timing.decode.launch_floor_ms", "20"}});
    CHECK(scenario.findNode({"gpu"})->device.memoryBandwidth.value == 2e12);
    CHECK(scenario.findNode({"gpu"})->device.memoryBandwidth.provenance == Provenance::User);
    CHECK(quantityOf(*scenario.findNode({"gpu"})->runtime, "timing.decode.launch_floor_ms").value ==
          20 * 1e-3);
}

TEST_CASE("wrong paths and values name the path and what is allowed") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto message = [&](const std::string& path, const std::string& text) {
        return errorOf([&] { setEdit(scenario, catalog(), path, text); });
    };
    CHECK(message("nodes.fpga.cuont", "3")
              .find("nodes.fpga.cuont: nothing is called \"cuont\". Allowed there: device, role, runtime, "
                    "layout, workers, count") == 0);
    CHECK(message("nodes.fgpa.count", "3").find("Allowed there: gpu, host, fpga") != std::string::npos);
    CHECK(message("worklaod.batch", "3").find("Allowed there: model, workload") != std::string::npos);
    CHECK(message("workload", "3").find("Allowed: p1024") != std::string::npos);
    CHECK(message("nodes.fpga", "3").find("the path ends too early") != std::string::npos);
    CHECK(message("techniques.gpu_assist", "true") ==
          "techniques.gpu_assist: the path ends too early. Allowed there: enabled, preempt");
    CHECK(message("techniques.gpu_assist.prempt", "true") ==
          "techniques.gpu_assist.prempt: nothing is called \"prempt\". Allowed there: enabled, preempt");
    CHECK(message("workload.batch.x", "3").find("workload.batch.x") == 0);
    CHECK(message("", "3").find("Allowed there") != std::string::npos);
    CHECK(message("nodes.fpga.count", "-1") ==
          "nodes.fpga.count: -1 is not allowed. Give a whole number from 1 to 100000");
    CHECK(message("nodes.fpga.count", "nan").find("\"nan\" is not a number") != std::string::npos);
    CHECK(message("nodes.fpga.count", "inf").find("is not a number") != std::string::npos);
    CHECK(message("nodes.fpga.count", "three").find("is not a number") != std::string::npos);
    CHECK(message("nodes.fpga.count", "1.5").find("whole number") != std::string::npos);
    CHECK(message("nodes.fpga.count", "").find("is not a number") != std::string::npos);
    CHECK(message("nodes.fpga.count", "none").find("is not a number") != std::string::npos);
    CHECK(message("nodes.fpga.device", "u281").find("Allowed: a100-40gb") != std::string::npos);
    CHECK(message("nodes.fpga.runtime", "hf-eager").find("Allowed: flightllm, glitches-fpga") !=
          std::string::npos);
    CHECK(message("techniques.load_merging.enabled", "maybe").find("Give true or false") !=
          std::string::npos);
}

TEST_CASE("an optional figure can be cleared and set again") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto cleared = with(scenario, "nodes.fpga.device.price_usd", "none");
    CHECK_FALSE(cleared.findNode({"fpga"})->device.price.isSet());
    CHECK(parameterText(cleared, findParameter(cleared, catalog(), "nodes.fpga.device.price_usd")).empty());
    CHECK(with(cleared, "nodes.fpga.device.price_usd", "1").findNode({"fpga"})->device.price.value == 1.0);
}

TEST_CASE(
    "changing the device brings what is calibrated for it, or another runtime where its own cannot run") {
    const auto scenario = with(preset("glitches/a100-7u280"), "nodes.gpu.device", "v100s");
    const auto& node = *scenario.findNode({"gpu"});
    CHECK(node.device.id == "v100s");
    CHECK(quantityOf(*node.runtime, "timing.prefill.compute_efficiency").value == 0.4077);
    CHECK(with(scenario, "nodes.gpu.device", "vhk158").findNode({"gpu"})->runtime->id == "glitches-fpga");
}
