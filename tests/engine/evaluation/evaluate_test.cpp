// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/metric_path.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("breakdowns add up to the step") {
    for (const auto* id : {"glitches/8a100", "glitches/8u280", "glitches/a100-7u280"}) {
        const auto scenario = preset(id);
        for (const auto& roof : rooflines(scenario)) {
            double sum = 0;
            for (const auto& op : roof.detail.operators) {
                sum += op.seconds;
                if (op.seconds == 0.0)
                    continue;                                                // hidden behind others
                CHECK(op.flops <= op.seconds * roof.peakFlops * (1 + 1e-9)); // nothing passes a roof
                if (roof.phase == Phase::Prefill)
                    CHECK(op.bytes <= op.seconds * roof.peakBandwidth * (1 + 1e-9));
            }
            CHECK(off(sum, roof.detail.seconds) < 1e-12);
            CHECK(off(sum, roof.step.seconds) <
                  1e-9); // affine in context: the mean step is the step at the mean
        }
    }
}

TEST_CASE("rooflines cover the phases that run") {
    CHECK(rooflines(preset("glitches/a100-7u280")).size() == 2);
    CHECK(rooflines(preset("glitches/8a100")).size() == 2);
    CHECK(rooflines(with(preset("glitches/a100-7u280"), "techniques.gpu_assist.enabled", "true")).size() ==
          3);
}

TEST_CASE("a step bound by compute left of the ridge says at which rate that compute runs") {
    int explained = 0;
    for (const auto& info : listPresets(catalog()))
        for (const auto& roof : rooflines(preset(info.id.c_str()))) {
            const auto why = leftOfRidge(roof);
            CAPTURE(info.id);
            CAPTURE(why);
            if (roof.step.bound != Bound::Compute || roof.step.intensity() >= roof.ridge()) {
                CHECK(why.empty());
                continue;
            }
            if (!roof.detail.flows.empty()) {
                const auto longest =
                    std::max_element(roof.detail.flows.begin(), roof.detail.flows.end(),
                                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
                CHECK(why.find(longest->label + " takes longest, ") != std::string::npos);
                continue;
            }
            double flops = 0, seconds = 0;
            for (const auto& op : roof.detail.operators)
                if (op.bound == Bound::Compute) {
                    flops += op.flops;
                    seconds += op.seconds;
                }
            CHECK(why.starts_with(roof.name));
            const double rate = flops / seconds;
            CHECK(why.find(
                      "reaches " + shortText(rate / 1e12) + (roof.integerPeak ? " TOP/s, " : " TFLOP/s, ") +
                      shortText(100 * rate / roof.peakFlops) + " % of the peak's ") != std::string::npos);
            CHECK(why.find("ridge at " + shortText(roof.ridge()) + " FLOP/B") != std::string::npos);
            CHECK(flops / seconds < roof.peakFlops);
            ++explained;
        }
    CHECK(explained > 0);
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
    CHECK(contains(errorOf([&] { findMetric(scenario, evaluation, "nodes.gpu.prefill"); }),
                   "nodes.gpu.prefill_ms"));
}
