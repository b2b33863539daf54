// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/parameters.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study/study.h"
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

TEST_CASE("names that were replaced are read in paths and files") {
    auto scenario = preset("served/deepseek-v3-gb300-nvl72");
    applyEdit(scenario, setEdit(scenario, catalog(), "techniques.stages_on_nodes.enabled", "true"));
    CHECK(parameterText(scenario, findParameter(scenario, catalog(),
                                                "techniques.pipeline_over_nodes.enabled")) == "true");
    CHECK(findParameter(scenario, catalog(), "techniques.stages_on_nodes.enabled").path ==
          "techniques.pipeline_over_nodes.enabled");

    auto file = writeScenario(scenario);
    auto& techniques = file["techniques"];
    techniques["stages_on_nodes"] = techniques.at("pipeline_over_nodes");
    techniques.erase("pipeline_over_nodes");
    CHECK(scenarioKey(readScenario(file, catalog(), "old")) == scenarioKey(scenario));

    CHECK(parseLimit("nodes.gpu.kv_handover_ms<=1").column == "nodes.gpu.kv_transfer_ms");
    const auto pools = preset("glitches/a100-7u280");
    CHECK(findMetric(pools, evaluate(pools), "nodes.gpu.kv_handover_ms").path == "nodes.gpu.kv_transfer_ms");
}
