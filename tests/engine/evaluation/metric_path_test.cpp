// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/metric_path.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

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
    CHECK(contains(errorOf([&] { findMetric(scenario, evaluation, "nodes.gpu.prefill"); }),
                   "nodes.gpu.prefill_ms"));
}
