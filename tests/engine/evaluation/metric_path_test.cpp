// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/metric_path.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("the KV cache is handed over by nodes that only prefill to nodes that only decode") {
    const auto handOver = [](const Scenario& scenario, const std::string& node) {
        return findMetric(scenario, evaluate(scenario), "nodes." + node + ".kv_handover_ms").value;
    };
    const auto split = preset("glitches/a100-7u280");
    CHECK(handOver(split, "gpu") > 0);
    CHECK(std::isnan(handOver(split, "fpga"))); // it decodes: nothing leaves it
    const auto together = with(split, "techniques.disaggregation.enabled", "false");
    CHECK(std::isnan(handOver(together, "gpu"))); // every node does both
}

TEST_CASE("a figure found by its path is the one that is listed") {
    for (const auto& info : listPresets(catalog())) {
        CAPTURE(info.id);
        const auto scenario = preset(info.id);
        const auto evaluation = evaluate(scenario);
        for (const auto& ref : listMetrics(scenario, evaluation)) {
            CAPTURE(ref.path);
            const auto found = findMetric(scenario, evaluation, ref.path);
            CHECK(found.label == ref.label);
            CHECK(found.unit == ref.unit);
            CHECK((found.value == ref.value || (std::isnan(found.value) && std::isnan(ref.value))));
        }
    }
    const auto scenario = preset("glitches/a100-7u280");
    const auto evaluation = evaluate(scenario);
    for (const auto* path :
         {"nodes.gpu", "nodes.gpu.", "nodes..decode_ms", "nodes.host.decode_ms", "nodes.", ""})
        CHECK_THROWS(findMetric(scenario, evaluation, path));
}

TEST_CASE("loads are merged in their utilisation where the runtime merges them, and nowhere else") {
    const auto utilisation = [](const Scenario& scenario) {
        return findMetric(scenario, evaluate(scenario), "nodes.fpga.load_utilisation_pct").value;
    };
    const auto merged = presetWith("glitches/a100-7u280", {{"techniques.load_merging.enabled", "true"},
                                                           {"techniques.load_merging.ratio", "16"}});
    const auto alone = with(merged, "techniques.load_merging.enabled", "false");
    CHECK(utilisation(merged) > 1.1 * utilisation(alone));
    const auto runtime = [](const Scenario& scenario) {
        return with(scenario, "nodes.fpga.runtime", "flightllm"); // loads one by one
    };
    CHECK(evaluate(runtime(merged)).metric(Metric::TimePerToken) ==
          evaluate(runtime(alone)).metric(Metric::TimePerToken));
    CHECK(utilisation(runtime(merged)) == utilisation(runtime(alone)));
}
